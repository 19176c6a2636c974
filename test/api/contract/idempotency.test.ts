import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, openApi } from '../support/api.ts';
import { servedRoutes } from '../support/served-routes.ts';
import { allStorageKinds } from '../support/storages.ts';
import { pathOf, type Row } from './row.ts';
import { rows } from './rows/all.ts';

/** A valid request for each POST route that responds with JSON. One that responds with bytes changes nothing. */
const posts = servedRoutes
  .filter(({ route }) => route.method === 'POST' && route.responseSchema !== null)
  .map(({ operations: [operation] }) => {
    const row = rows.find((each) => each.operation === operation);
    if (row === undefined) throw new Error(`the contract has no row for ${operation}`);
    return row;
  });

const key = { 'idempotency-key': 'k-~!"#$% 7' };

describe.each(allStorageKinds)('Idempotency-Key on $name', (kind) => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(kind);
  });
  afterAll(() => api.close());

  it.each(posts)('$operation runs once', async (row: Row) => {
    const tenant = await api.tenant();
    const request = await row.request(tenant);
    const sent = { ...request, headers: { ...request.headers, ...key } };
    const path = pathOf(row, request);
    const first = await tenant.send('POST', path, sent);
    expect([first.status, first.headers['idempotent-replayed']], first.text).toEqual([row.status, undefined]);
    const asked = api.mail.requests.length;

    const replayed = await tenant.send('POST', path, sent);
    expect(replayed.status).toBe(first.status);
    expect(replayed.bytes.equals(first.bytes)).toBe(true);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.headers.location).toBe(first.headers.location);
    expect(replayed.headers['content-type']).toBe(first.headers['content-type']);
    expect(replayed.headers['cache-control']).toBe('no-store');
    expect(api.mail.requests).toHaveLength(asked);
  });

  it('creates one record for simultaneous requests and a later one', async () => {
    const tenant = await api.tenant();
    const sent = { json: { name: 'Anna' }, headers: key };
    const replies = await Promise.all(Array.from({ length: 6 }, () => tenant.send('POST', '/agents', sent)));
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect((await tenant.send('POST', '/agents', sent)).headers['idempotent-replayed']).toBe('true');
    expect((await tenant.ok('GET', '/agents')).agents).toHaveLength(1);
  });

  it('returns 409 while the first request is in progress', async () => {
    const tenant = await api.tenant();
    const path = `/agents/${(await tenant.newAgent()).id}/webhook/test`;
    const release = api.holdCustomer();
    const received = api.customer.received.length;
    const first = tenant.send('POST', path, { headers: key });
    await vi.waitFor(() => expect(api.customer.received.length).toBeGreaterThan(received));
    const second = await tenant.send('POST', path, { headers: key });
    expect([second.status, second.body.code]).toEqual([409, 'idempotency_in_progress']);
    expect(second.headers['retry-after']).toBe('1');
    expect(second.body.retry_after).toBe(1);
    release();
    expect((await first).status).toBe(200);
    expect((await tenant.send('POST', path, { headers: key })).headers['idempotent-replayed']).toBe('true');
  });

  it('is scoped to one path and one organization', async () => {
    const [tenant, other] = [await api.tenant(), await api.tenant()];
    const sent = { json: { name: 'Anna' }, headers: key };
    const first = await tenant.send('POST', '/agents', sent);
    const elsewhere = await tenant.send('POST', '/api-keys', sent);
    const others = await other.send('POST', '/agents', sent);
    expect([elsewhere.status, others.status]).toEqual([201, 201]);
    expect(others.headers['idempotent-replayed']).toBeUndefined();
    expect(others.body.agent.id).not.toBe(first.body.agent.id);
  });

  it('does not store error responses', async () => {
    const tenant = await api.tenant();
    const bad = { json: { name: '' }, headers: key };
    const refused = await tenant.send('POST', '/agents', bad);
    const again = await tenant.send('POST', '/agents', bad);
    expect([refused.status, again.status, again.headers['idempotent-replayed']]).toEqual([400, 400, undefined]);

    api.mail.failNext('garbage');
    const domain = { json: { domain_name: `${tenant.orgId}.example.com` }, headers: key };
    const failed = await tenant.send('POST', '/domains', domain);
    expect(failed.status).toBe(502);
    expect((await tenant.send('POST', '/domains', domain)).status).toBe(201);
  });

  it('refuses a different body under the same key, and expires after a day', async () => {
    const tenant = await api.tenant();
    const send = (name: string) => tenant.send('POST', '/agents', { json: { name }, headers: key });
    expect((await send('Anna')).status).toBe(201);
    expect((await send('Bob')).body.code).toBe('idempotency_key_reused');
    api.clock.putForward(24 * 3_600_000 - 60_000);
    expect((await send('Anna')).headers['idempotent-replayed']).toBe('true');
    api.clock.putForward(120_000);
    const anew = await send('Bob');
    expect([anew.status, anew.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });
});
