import { afterEach, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.ts';
import { memoryStorage } from '../support/storages.ts';
import type { Tenant } from '../support/tenant.ts';
import { error } from './error-shapes.ts';

let api: Api;
afterEach(() => api.close());

/** Creates a tenant, and stops the time of day. */
async function start(rateLimits: { requestsPerMinute?: number; controlPerMinute?: number }): Promise<Tenant> {
  api = await openApi(memoryStorage, { rateLimits });
  const tenant = await api.tenant();
  api.clock.stop();
  return tenant;
}

describe('rate limits', () => {
  it('apply per key, are reported on every response, and reset each minute', async () => {
    const tenant = await start({ requestsPerMinute: 3 });
    const other = await api.tenant();
    const paths = ['/agents', '/agents/none', '/agents?colour=1'];
    for (const [n, path] of paths.entries()) {
      const reply = await tenant.send('GET', path);
      expect([reply.status, reply.headers['x-ratelimit-remaining']]).toEqual([[200, 404, 400][n], String(2 - n)]);
      expect(reply.headers['x-ratelimit-limit']).toBe('3');
      const reset = Number(reply.headers['x-ratelimit-reset']);
      expect(reset % 60).toBe(0);
      expect(reset - api.clock.wallMs() / 1_000).toBeLessThanOrEqual(60);
    }
    const refused = await tenant.send('GET', '/agents');
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(error.safeParse(refused.body).error?.issues ?? []).toEqual([]);
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');
    expect(Number(refused.headers['retry-after'])).toBe(refused.body.retry_after);
    const problem = await tenant.send('GET', '/agents', { headers: { accept: 'application/problem+json' } });
    expect(problem.body).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retry_after: expect.any(Number) });

    expect((await other.send('GET', '/agents')).status).toBe(200);
    api.clock.putForward(refused.body.retry_after * 1_000);
    expect((await tenant.send('GET', '/agents')).headers['x-ratelimit-remaining']).toBe('2');
  });

  it('default to 100 requests per minute', async () => {
    const tenant = await start({});
    const replies = await Promise.all(
      Array.from({ length: 101 }, () => tenant.send('GET', '/health').then(() => tenant.send('GET', '/agents'))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it('default to ten commands per minute and call', async () => {
    const tenant = await start({ requestsPerMinute: 0 });
    const [one, other] = [(await tenant.addCall()).id, (await tenant.addCall()).id];
    const command = (id: string) => tenant.send('POST', `/calls/${id}/control`, { json: { type: 'end-call' } });
    for (let n = 0; n < 10; n += 1) expect((await command(one)).status).toBe(409);
    const refused = await command(one);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((await command(other)).status).toBe(409);
    expect((await tenant.send('GET', '/agents')).status).toBe(200);
    api.clock.putForward(60_000);
    expect((await command(one)).status).toBe(409);
  });

  it('are not counted when disabled, nor for public routes', async () => {
    const tenant = await start({ requestsPerMinute: 0, controlPerMinute: 0 });
    const reply = await tenant.send('GET', '/agents');
    expect(reply.headers['x-ratelimit-limit']).toBeUndefined();
    expect((await api.send({ method: 'GET', path: '/health' })).headers['x-ratelimit-limit']).toBeUndefined();
  });
});
