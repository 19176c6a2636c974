import { describe, expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { createTestHost } from '../support/host.ts';

const service = await createTestHost();
const handler = createHandler(service.host);

async function ask(path: string, method = 'GET', more: Record<string, string> = {}, body?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json', ...more };
  return await handler.fetch(
    new Request(`http://x/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
  );
}

describe('caching headers', () => {
  it('require revalidation of a JSON response, which then has no body', async () => {
    const created = await ask('/agents', 'POST', {}, '{"name":"x"}');
    const path = created.headers.get('location')?.replace('/api/v1', '') ?? '';
    const first = await ask(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('vary')).toBe('Authorization');
    const known = await ask(path, 'GET', { 'if-none-match': `"x", W/${etag}` });
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
    expect(known.headers.get('cache-control')).toBe('private, no-cache');
    expect(known.headers.get('x-request-id')).not.toBeNull();
    expect(known.headers.get('x-ratelimit-limit')).toBe('100');
    expect((await ask(path, 'HEAD', { 'if-none-match': '*' })).status).toBe(304);

    await ask(path, 'PATCH', {}, '{"first_message":"Hi"}');
    const changed = await ask(path, 'GET', { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('forbid storing the responses of writes and errors', async () => {
    const answers = [
      await ask('/agents', 'POST', {}, '{"name":"x"}'),
      await ask('/agents', 'POST', {}, '{}'),
      await ask('/agents/1', 'GET', { 'if-none-match': '*' }),
      await ask('/nowhere'),
    ];
    for (const { headers } of answers) {
      expect([headers.get('cache-control'), headers.has('etag')]).toEqual(['no-store', false]);
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 404, 404]);
  });

  it('include no ETag in a 503 response', async () => {
    const health = async () => ({ status: 'unavailable' as const, version: '1', timestamp: '', checks: {} });
    const failing = createHandler({ ...service.host, health });
    const response = await failing.fetch(new Request('http://x/api/v1/health', { headers: { 'if-none-match': '*' } }));
    expect([response.status, response.headers.has('etag')]).toEqual([503, false]);
  });
});
