import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { send } from '../support/client.ts';
import { createTestHost, type TestHost } from '../support/host.ts';
import { type Mounted, mount, mountings } from '../support/mounts.ts';

const rateLimits = { requestsPerMinute: 0 };

describe.each(mountings)('errors of the API on $name', (mounting) => {
  let service: TestHost;
  let mounted: Mounted;

  beforeAll(async () => {
    service = await createTestHost();
    mounted = await mount(mounting, (options) => createHandler(service.host, { ...options, rateLimits }));
  });

  afterAll(async () => {
    await mounted.close();
  });

  it('lists every invalid field in one flat body', async () => {
    const json = {
      naem: 'x',
      is_active: 'yes',
      llm_config: { provider: '', tools: [{ type: 'function', name: 'a b' }] },
    };
    const { status, body, headers } = await send(`${mounted.url}/agents`, { method: 'POST', key: service.key, json });
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['error', 'code', 'message', 'param', 'details', 'errors', 'request_id']);
    expect(body).toMatchObject({ error: 'Bad Request', code: 'missing_field', param: null });
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort()).toEqual([
      'is_active invalid_field',
      'llm_config.provider invalid_field',
      'llm_config.tools.0.name invalid_field',
      'naem unknown_field',
      'name missing_field',
    ]);
    expect(body.details).toContain('name: is required');
    expect(body.request_id).toBe(headers.get('x-request-id'));
  });

  it('responds with RFC 9457 problem details to a client that prefers them', async () => {
    const { status, body, headers } = await send(`${mounted.url}/agents`, {
      method: 'POST',
      key: service.key,
      json: {},
      headers: { accept: 'application/problem+json, application/json' },
    });
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({
      type: 'about:blank',
      title: 'Bad Request',
      status,
      code: 'missing_field',
      param: 'name',
    });
    expect(body.detail).toBe('name: is required');
  });

  it.each([
    ['no header', undefined],
    ['another scheme', 'Basic dTpw'],
    ['an empty token', 'Bearer '],
    ['an unknown key', `Bearer va_live_${'x'.repeat(43)}`],
    ['two tokens', 'Bearer a b'],
  ])('responds 401 to %s', async (_case, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const reply = await send(`${mounted.url}/agents`, { headers });
    expect(reply).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('responds 403 to a key without the scope', async () => {
    const key = await service.issueKey(['agents:read']);
    expect((await send(`${mounted.url}/agents`, { key })).status).toBe(200);
    const reply = await send(`${mounted.url}/agents`, { key, method: 'POST', json: { name: 'x' } });
    expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('responds 404 to an unknown path and to a malformed id', async () => {
    expect(await send(`${mounted.url}/nothing`)).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    for (const id of ['1', '%00', "'; drop table agents", '..%2f', 'x'.repeat(2_000)]) {
      const reply = await send(`${mounted.url}/agents/${encodeURIComponent(id)}`, { key: service.key });
      expect(reply).toMatchObject({ status: 404, body: { code: 'agent_not_found' } });
    }
  });

  it('responds 405 with the allowed methods', async () => {
    const reply = await send(`${mounted.url}/agents`, { method: 'PUT', json: {} });
    expect(reply).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  it('responds 415 to a body of another media type than JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    const reply = await send(`${mounted.url}/agents`, {
      method: 'POST',
      key: service.key,
      json: '{"name":"x"}',
      headers,
    });
    expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('refuses JSON that is not an object, nested too deeply, or text that no database can store', async () => {
    const deep = nested(100);
    for (const json of ['[]', '"x"', '7', 'null', deep, '{"name":"a\\u0000"}', '{"name":"\\ud800"}']) {
      const reply = await send(`${mounted.url}/agents`, { method: 'POST', key: service.key, json });
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_field' } });
    }
  });

  it('survives JSON that is nested deeply enough to exhaust the stack', async () => {
    for (const depth of [5_000, 40_000]) {
      const reply = await send(`${mounted.url}/agents`, { method: 'POST', key: service.key, json: nested(depth) });
      expect(reply.status).toBe(400);
    }
  });

  // A body parser of the host refuses malformed bodies itself.
  if (mounting.isParsedBefore !== true) {
    it('responds 400 to malformed JSON', async () => {
      for (const json of ['', '{', '{"name":"x"}}', '\uFEFF\uFEFF{}']) {
        const headers = { 'content-type': 'application/json' };
        const reply = await send(`${mounted.url}/agents`, { method: 'POST', key: service.key, json, headers });
        expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
      }
    });

    it('responds 413 to a body of more than 1 MiB, with and without its length', async () => {
      const json = JSON.stringify({ name: 'x', metadata: { big: 'a'.repeat(1_100_000) } });
      const announced = await send(`${mounted.url}/agents`, { method: 'POST', key: service.key, json });
      expect(announced).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
      const body = new ReadableStream({
        start(controller) {
          for (let n = 0; n < 20; n += 1) controller.enqueue(new Uint8Array(100_000));
          controller.close();
        },
      });
      const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
      const streamed = await fetch(`${mounted.url}/agents`, { method: 'POST', headers, body, duplex: 'half' });
      expect(streamed.status).toBe(413);
      expect((await send(`${mounted.url}/agents`, { key: service.key })).status).toBe(200);
    });
  }

  it('hides the message of an unexpected error, and logs it with the request id', async () => {
    const failing = { ...service.host.operations.agents, list: () => Promise.reject(new Error('password=hunter2')) };
    const host = { ...service.host, operations: { ...service.host.operations, agents: failing } };
    const broken = await mount(mounting, (options) => createHandler(host, options));
    const reply = await send(`${broken.url}/agents?token=x`, {
      key: service.key,
      headers: { 'x-request-id': 'trace-7' },
    });
    await broken.close();
    expect(reply).toMatchObject({ status: 500, body: { code: 'internal_error', request_id: 'trace-7' } });
    expect(JSON.stringify(reply.body)).not.toContain('hunter2');
    expect(service.logged).toMatchObject([{ requestId: 'trace-7', method: 'GET', path: `${mounted.path}/agents` }]);
    expect(String(service.logged[0]?.err)).toContain('hunter2');
  });

  it('generates a request id in place of one that is not safe to log', async () => {
    const reply = await send(`${mounted.url}/health`, { headers: { 'x-request-id': 'a b' } });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('responds 503 after it is closed', async () => {
    const closing = await mount(mounting, (options) => createHandler(service.host, options));
    await closing.handler.close();
    expect(await send(`${closing.url}/health`)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    await closing.close();
  });
});

function nested(depth: number): string {
  return `{"name":"x","metadata":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
}
