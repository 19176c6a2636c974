import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Api, type ApiOptions, openApi } from './support/api.ts';
import type { Reply } from './support/exchange.ts';
import { servedRoutes } from './support/served-routes.ts';
import { memoryStorage, storageKinds } from './support/storages.ts';
import type { Tenant } from './support/tenant.ts';

/** Polling interval of `vi.waitFor`, in milliseconds. */
const patience = { interval: 20 };

const origin = 'https://www.example.com';

let api: Api;
let tenant: Tenant;
afterEach(() => api.close());

async function open(options: ApiOptions = {}, kind = memoryStorage): Promise<void> {
  api = await openApi(kind, options);
  tenant = await api.tenant();
}

interface Key {
  readonly id: string;
  readonly key: string;
  readonly agents: readonly string[];
}

async function ask({ key, agents }: Key, json: object = {}, headers: object = {}): Promise<Reply> {
  const sent = { agent_id: agents[0], ...json };
  return await tenant.send('POST', '/calls/web', { key, json: sent, headers: { origin, ...headers } });
}

function result({ status, body }: Reply): unknown[] {
  return [status, body.code];
}

describe.each(storageKinds)('limits of a publishable key on $name', (kind) => {
  it('refuse calls beyond the limit per minute, also when all are requested at once', async () => {
    // Bypasses the counters of this process, as requests to other nodes do, so that only the database limits them.
    await open({}, kind);
    const page = { publishableKey: await tenant.newPublishableKey({ calls_per_minute: 4 }), origin };
    const input = { agent_id: page.publishableKey.agents[0] };
    const create = () => api.va.operations.calls.createWebCall(tenant.orgId, input, page);
    const results = await Promise.allSettled(Array.from({ length: 12 }, create));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    await expect(create()).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    api.clock.putForward(60_001);
    await create();
  });

  it('reserve the minutes of concurrent calls, and release what they did not use', async () => {
    await open({}, kind);
    const limits = { minutes_per_day: 3, max_call_seconds: 90, calls_per_minute: 100 };
    const key = await tenant.newPublishableKey({ ...limits, calls_per_minute_per_address: 100 });
    const tokens: string[] = [];
    for (let n = 0; n < 4; n += 1) tokens.push((await ask(key)).body.token);
    const calls = await Promise.all(tokens.map((token) => api.telephony.ringWeb(token, origin)));
    const where = { publishable_key_id: key.id, end_reason: 'insufficient_credits' } as const;
    const refused = async () => await api.storage.calls.list(tenant.orgId, { where, limit: 9 });
    // The record has its end reason from the start, and its error once the call has ended.
    const error = expect.stringMatching(/has used its 3 minutes of the last 24 hours/);
    await vi.waitFor(async () => expect(await refused()).toMatchObject([{ error }, { error }]), patience);
    await vi.waitFor(() => expect(calls.filter((call) => call?.answered)).toHaveLength(2), patience);
    expect(result(await ask(key))).toEqual([429, 'minutes_used_up']);
    api.clock.putForward(40_000);
    for (const call of calls) call?.leave();
    await vi.waitFor(async () => {
      const { logs } = await tenant.ok('GET', `/usage?publishable_key_id=${key.id}`);
      expect(logs).toHaveLength(2);
    }, patience);
    expect((await ask(key)).status).toBe(201);
    await tenant.addUsage({ publishable_key_id: key.id, duration_seconds: 100 });
    expect(result(await ask(key))).toEqual([429, 'minutes_used_up']);
    api.clock.putForward(24 * 3_600_000);
    expect((await ask(key)).status).toBe(201);
  });
});

describe('a page with a publishable key', () => {
  it('gets a token for an agent of the key, and may read the response', async () => {
    await open();
    const key = await tenant.newPublishableKey({ variables: ['page'] });
    const reply = await ask(key, { variables: { page: '/pricing' } });
    expect(reply.status).toBe(201);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'cache-control': 'no-store',
      'x-ratelimit-limit': '3',
    });
    expect(reply.headers.vary).toMatch(/Origin/);
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    await api.telephony.ringWeb(reply.body.token, origin);
    const call = await vi.waitFor(() => tenant.ok('GET', `/calls/${reply.body.call_id}`));
    expect(call).toMatchObject({ publishable_key_id: key.id, variables: { page: '/pricing' } });
    expect(call).not.toHaveProperty('reserved_seconds');
    const { calls } = await tenant.ok('GET', `/calls?publishable_key_id=${key.id}`);
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that ends alike', { origin: 'https://evil-www.example.com' }],
    ['the origin of a sandboxed frame', { origin: 'null' }],
    ['two origins', { origin: `${origin}, https://evil.example` }],
  ])('is refused from %s, and may not read why', async (_, headers) => {
    await open();
    const reply = await ask(await tenant.newPublishableKey(), {}, headers);
    expect(result(reply)).toEqual([403, 'forbidden']);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is refused without an origin', async () => {
    await open();
    const { key, agents } = await tenant.newPublishableKey();
    const reply = await tenant.send('POST', '/calls/web', { key, json: { agent_id: agents[0] } });
    expect(result(reply)).toEqual([403, 'forbidden']);
  });

  it('may read why it is refused when its origin is allowed', async () => {
    await open();
    const key = await tenant.newPublishableKey();
    const other = await tenant.newAgent();
    const reply = await ask(key, { agent_id: other.id });
    expect(result(reply)).toEqual([403, 'forbidden']);
    expect(reply.headers['access-control-allow-origin']).toBe(origin);
  });

  it.each([
    ['metadata', { metadata: { user: 'admin' } }, 'metadata'],
    ['variables that the key does not list', { variables: { account: 7 } }, 'variables.account'],
    ['long variables', { variables: { page: 'x'.repeat(501) } }, 'variables.page'],
    ['nested variables', { variables: { page: { a: 1 } } }, 'variables.page'],
    ['overrides of the agent', { agent_override: { first_message: 'Hi' } }, 'agent_override'],
    ['another organization', { org_id: '00000000-0000-7000-8000-00000000000b' }, 'org_id'],
  ])('may not choose %s', async (_, json, param) => {
    await open();
    const reply = await ask(await tenant.newPublishableKey({ variables: ['page'] }), json);
    expect([reply.status, reply.body.param]).toEqual([400, param]);
  });

  it('may not name an agent of another organization', async () => {
    await open();
    const { id } = await (await api.tenant()).newAgent();
    expect(result(await ask(await tenant.newPublishableKey(), { agent_id: id }))).toEqual([403, 'forbidden']);
  });

  it('has no access to any other route', async () => {
    await open();
    const { key } = await tenant.newPublishableKey();
    const scoped = servedRoutes.filter(({ route }) => route.scope !== null);
    const operations = scoped.flatMap((each) => each.operations).filter((each) => each !== 'POST /calls/web');
    expect(operations.length).toBeGreaterThan(60);
    for (const operation of operations) {
      const [method = '', path = ''] = operation.replace(/\{\w+\}/g, tenant.orgId).split(' ');
      const reply = await tenant.send(method, path, { key, headers: { origin } });
      expect([operation, ...result(reply)]).toEqual([operation, 403, 'forbidden']);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('is refused once the key is revoked, even with a token that was not used', async () => {
    await open();
    const key = await tenant.newPublishableKey();
    const { token } = (await ask(key)).body;
    await tenant.ok('DELETE', `/publishable-keys/${key.id}`);
    expect(result(await ask(key))).toEqual([401, 'api_key_revoked']);
    expect(await api.telephony.ringWeb(token, origin)).toBeNull();
  });

  it('connects with its token only from its own origin', async () => {
    await open();
    const { token } = (await ask(await tenant.newPublishableKey())).body;
    expect(await api.telephony.ringWeb(token, 'https://evil.example')).toBeNull();
    expect(await api.telephony.ringWeb(token, null)).toBeNull();
    expect(await api.telephony.ringWeb(token, origin)).not.toBeNull();
  });

  it('does not get the response that another page got for the same Idempotency-Key', async () => {
    await open();
    const key = await tenant.newPublishableKey();
    const replies = [await ask(key, {}, { 'idempotency-key': 'a' }), await ask(key, {}, { 'idempotency-key': 'a' })];
    expect(new Set(replies.map(({ body }) => body.token)).size).toBe(2);
  });
});

describe('a flood of requests with a publishable key', () => {
  const proxied = { trustedProxies: ['127.0.0.1'] };
  const from = (address: string): object => ({ 'x-forwarded-for': address });

  it('from one address uses up its own share only', async () => {
    await open(proxied);
    api.clock.stop();
    const key = await tenant.newPublishableKey({ calls_per_minute: 5, calls_per_minute_per_address: 2 });
    const flood = [];
    for (let n = 0; n < 20; n += 1) flood.push((await ask(key, {}, from('203.0.113.7'))).status);
    expect(flood.filter((status) => status === 201)).toHaveLength(2);
    expect(result(await ask(key, {}, from('203.0.113.7')))).toEqual([429, 'rate_limit_exceeded']);
    expect((await ask(key, {}, from('203.0.113.8'))).status).toBe(201);
  });

  it('from one /64 counts as one address', async () => {
    await open(proxied);
    api.clock.stop();
    const key = await tenant.newPublishableKey({ calls_per_minute_per_address: 2 });
    for (const n of [1, 2]) expect((await ask(key, {}, from(`2001:db8::${n}`))).status).toBe(201);
    expect((await ask(key, {}, from('2001:db8::3'))).status).toBe(429);
    expect((await ask(key, {}, from('2001:db8:0:1::3'))).status).toBe(201);
  });

  it('gains nothing by forging X-Forwarded-For', async () => {
    await open();
    api.clock.stop();
    const key = await tenant.newPublishableKey({ calls_per_minute_per_address: 2 });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await ask(key, {}, from(`203.0.113.${n}`))).status);
    expect(statuses).toEqual([201, 201, 429, 429]);
    await api.close();
    await open(proxied);
    api.clock.stop();
    const other = await tenant.newPublishableKey({ calls_per_minute_per_address: 2 });
    const forged = [];
    for (let n = 0; n < 4; n += 1) forged.push((await ask(other, {}, from(`198.51.100.${n}, 203.0.113.7`))).status);
    expect(forged).toEqual([201, 201, 429, 429]);
  });

  it('from many addresses is stopped by the limit of the key, without using up that of the organization', async () => {
    await open({ ...proxied, rateLimits: { requestsPerMinute: 20, requestsPerMinutePerOrganization: 20 } });
    api.clock.stop();
    const key = await tenant.newPublishableKey({ calls_per_minute: 5 });
    const flood = [];
    for (let n = 0; n < 40; n += 1) flood.push((await ask(key, {}, from(`203.0.113.${n}`))).status);
    expect(flood.filter((status) => status === 201)).toHaveLength(5);
    expect((await tenant.send('POST', '/calls/web', { json: { agent_id: key.agents[0] } })).status).toBe(201);
  });

  it('does not use up the web calls that the organization may request with its own key', async () => {
    await open(proxied);
    api.clock.stop();
    const key = await tenant.newPublishableKey({ calls_per_minute: 200, minutes_per_day: 10_000 });
    for (let n = 0; n < 101; n += 1) expect((await ask(key, {}, from(`203.0.113.${n}`))).status).toBe(201);
    expect((await tenant.send('POST', '/calls/web', { json: { agent_id: key.agents[0] } })).status).toBe(201);
  });
});

describe('preflight of POST /calls/web', () => {
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  const ofCors = ({ headers }: Reply) => Object.keys(headers).filter((name) => name.startsWith('access-control'));

  it('is allowed for all origins, without credentials', async () => {
    await open();
    const reply = await api.send({ method: 'OPTIONS', path: '/calls/web', headers: { ...preflight, origin } });
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Authorization, Content-Type',
    });
    expect(ofCors(reply)).not.toContain('access-control-allow-credentials');
  });

  it('follows the option `cors` for the origins that it lists', async () => {
    await open({ cors: { origins: ['https://app.example.com'] } });
    const headers = { ...preflight, origin: 'https://app.example.com' };
    const reply = await api.send({ method: 'OPTIONS', path: '/calls/web', headers });
    expect(reply.headers['access-control-allow-origin']).toBe('https://app.example.com');
  });

  it('is not allowed for any other route', async () => {
    await open();
    for (const path of ['/calls', '/calls/outbound', '/agents', '/publishable-keys']) {
      const reply = await api.send({ method: 'OPTIONS', path, headers: { ...preflight, origin } });
      expect([path, ...ofCors(reply)]).toEqual([path]);
    }
  });

  // Security: the preflight lets any page send the request, which a host may authenticate by more than its headers.
  it.each(['cross-site', 'same-site'])('lets no %s page send a request without a publishable key', async (site) => {
    await open({ cors: { origins: ['https://app.example.com'] } });
    const { id } = await tenant.newAgent();
    const send = (from: string, fetchSite: string) =>
      tenant.send('POST', '/calls/web', {
        json: { agent_id: id },
        headers: { origin: from, 'sec-fetch-site': fetchSite },
      });
    expect(result(await send('https://evil.example', site))).toEqual([403, 'forbidden']);
    expect((await send('https://app.example.com', site)).status).toBe(201);
    expect((await send('https://voice.example.com', 'same-origin')).status).toBe(201);
  });
});
