import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.ts';
import { servedRoutes } from '../support/served-routes.ts';
import { memoryStorage, storageKinds } from '../support/storages.ts';
import type { Tenant } from '../support/tenant.ts';
import { error } from './error-shapes.ts';
import { unknownId } from './refusal.ts';
import { methodOf, pathOf } from './row.ts';
import { rows } from './rows/all.ts';

const routes = servedRoutes.flatMap(({ operations, route }) => operations.map((operation) => ({ operation, route })));
const scoped = routes.filter(({ route }) => route.scope !== null);
const limited = scoped.filter(({ route }) => route.scope !== 'any');
const withIds = scoped.filter(({ operation }) => /\{\w*id\}/.test(operation));
const withJson = scoped.filter(({ route }) => route.body !== null && !('kinds' in route.body));
const withFiles = scoped.filter(({ route }) => route.body !== null && 'kinds' in route.body);
const withoutQuery = scoped.filter(({ route }) => route.query === null);
const paths = [...new Set(routes.map(({ operation }) => operation.slice(operation.indexOf(' ') + 1)))];

/** The `not_found` code for the first parameter of each path. */
const notFoundCodes: Readonly<Record<string, string>> = {
  agents: 'agent_not_found',
  'analysis-templates': 'analysis_template_not_found',
  'api-keys': 'api_key_not_found',
  calls: 'call_not_found',
  campaigns: 'campaign_not_found',
  'do-not-call': 'do_not_call_not_found',
  numbers: 'phone_number_not_found',
  'publishable-keys': 'publishable_key_not_found',
  'sip-trunks': 'sip_trunk_not_found',
  'tool-templates': 'tool_template_not_found',
  'webhook-deliveries': 'webhook_delivery_not_found',
};

/** Returns a body that the route accepts, so that only the path is wrong. */
async function goodBody(tenant: Tenant, operation: string): Promise<object> {
  const row = rows.find((each) => each.operation === operation);
  const { json, body, headers } = (await row?.request(tenant)) ?? {};
  return { ...(json === undefined ? {} : { json }), ...(body === undefined ? {} : { body, headers }) };
}

describe('every route', () => {
  let api: Api;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
    tenant = await api.tenant();
  });
  afterAll(() => api.close());

  it.each(scoped)('$operation returns 401 without a key', async ({ operation }) => {
    const [method, path] = filled(operation, unknownId);
    const reply = await api.send({ method, path });
    expect([reply.status, reply.body.code]).toEqual([401, 'unauthorized']);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(reply.headers['x-ratelimit-limit']).toBeUndefined();
  });

  it.each(limited)('$operation returns 403 for a key without its scope', async ({ operation, route }) => {
    const others = new Set(limited.map((each) => each.route.scope ?? '').filter((scope) => scope !== route.scope));
    const { secret } = await tenant.ok('POST', '/api-keys', { name: 'Others', scopes: [...others] });
    const [method, path] = filled(operation, unknownId);
    const reply = await tenant.send(method, path, { key: secret });
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden']);
  });

  it.each(routes.filter(({ operation }) => /\{\w+\}/.test(operation)))(
    '$operation returns 404 when a path parameter is malformed',
    async ({ operation }) => {
      const [method, path] = filled(operation, '%E0%A4%A');
      const reply = await tenant.send(method, path);
      expect([reply.status, reply.body.code]).toEqual([404, 'route_not_found']);
    },
  );

  it.each(withoutQuery)('$operation refuses query parameters', async ({ operation }) => {
    const [method, path] = filled(operation, unknownId);
    const reply = await tenant.send(method, `${path}?verbose=1`);
    expect([reply.status, reply.body.code, reply.body.param]).toEqual([400, 'unknown_field', 'verbose']);
  });

  it.each(withJson)('$operation accepts only JSON', async ({ operation }) => {
    const [method, path] = filled(operation, unknownId);
    const answers = await Promise.all(
      [
        { headers: { 'content-type': 'text/plain' }, body: '{}' },
        { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=Anna' },
        { headers: { 'content-type': 'application/json' }, body: '' },
        { headers: { 'content-type': 'application/json' }, body: '{"a":1}x' },
        { headers: { 'content-type': 'application/json' }, body: `"${'a'.repeat(1_048_576)}"` },
      ].map((sent) => tenant.send(method, path, sent)),
    );
    expect(answers.map(({ body }) => body.code)).toEqual([
      'unsupported_media_type',
      'unsupported_media_type',
      'invalid_json',
      'invalid_json',
      'body_too_large',
    ]);
    for (const { body } of answers) expect(error.safeParse(body).error?.issues ?? []).toEqual([]);
  });

  it.each([
    ['POST', '/agents', 'name'],
    ['DELETE', '/byok', 'provider'],
  ])('%s %s without a body names the missing field', async (method, path, param) => {
    const { status, body } = await tenant.send(method, path, {});
    expect([status, body.code, body.param]).toEqual([400, 'missing_field', param]);
  });

  it.each(withJson)('$operation accepts only an object', async ({ operation }) => {
    const row = rows.find((each) => each.operation === operation);
    const request = (await row?.request(tenant)) ?? {};
    for (const json of [null, 7, 'text', true, [], [{}]]) {
      const reply = await tenant.send(methodOf({ operation }), pathOf({ operation }, request), { json });
      expect([reply.status, reply.body.code], JSON.stringify(json)).toEqual([400, 'invalid_field']);
    }
  });

  it.each(withJson)('$operation names an unknown field', async ({ operation }) => {
    const row = rows.find((each) => each.operation === operation);
    const request = (await row?.request(tenant)) ?? {};
    const json = { ...Object(request.json), colour: 'red' };
    const reply = await tenant.send(methodOf({ operation }), pathOf({ operation }, request), { json });
    expect([reply.status, reply.body.code, reply.body.param]).toEqual([400, 'unknown_field', 'colour']);
  });

  it.each(withFiles)('$operation accepts only its file types', async ({ operation }) => {
    const [method, path] = filled(operation, unknownId);
    for (const type of ['application/json', 'text/plain', '']) {
      const reply = await tenant.send(method, path, { headers: { 'content-type': type }, body: 'a' });
      expect([reply.status, reply.body.code], type).toEqual([415, 'unsupported_media_type']);
    }
  });

  it.each(paths)('%s supports exactly the methods in its Allow header', async (path) => {
    const [, filledPath] = filled(`GET ${path}`, unknownId);
    const own: string[] = routes
      .filter(({ operation }) => covers(operation, filledPath))
      .map(({ route }) => route.method);
    const allowed = new Set([...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
    const options = await api.send({ method: 'OPTIONS', path: filledPath });
    expect(options.status).toBe(204);
    expect(new Set(options.headers.allow?.split(', '))).toEqual(allowed);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      if (allowed.has(method)) continue;
      const reply = await tenant.send(method, filledPath);
      expect([reply.status, reply.body.code], method).toEqual([405, 'method_not_allowed']);
      expect(reply.headers.allow).toBe(options.headers.allow);
    }
  });

  it('keeps the request id of the client when it is safe to log, and replaces any other one', async () => {
    const kept = await tenant.send('GET', '/agents', { headers: { 'x-request-id': 'order-7' } });
    expect(kept.headers['x-request-id']).toBe('order-7');
    const replaced = await tenant.send('GET', '/agents', { headers: { 'x-request-id': 'a b{}' } });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reports every invalid field at once', async () => {
    const json = { name: '', is_active: 'yes', max_duration_seconds: 9, webhook_url: 'ftp://x', colour: 1 };
    const reply = await tenant.send('POST', '/agents', { json });
    expect(reply.status).toBe(400);
    expect(reply.body.param).toBeNull();
    expect(reply.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'colour',
      'is_active',
      'max_duration_seconds',
      'name',
      'webhook_url',
    ]);
    expect(reply.body.details).toHaveLength(5);
  });
});

describe.each(storageKinds)('every route on $name', (kind) => {
  let api: Api;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await openApi(kind);
    tenant = await api.tenant();
  });
  afterAll(() => api.close());

  // A malformed id must not reach the database, which would fail with an error of its own.
  describe.each(withIds)('$operation', ({ operation }) => {
    let body: object;
    beforeAll(async () => {
      body = await goodBody(tenant, operation);
    });

    it.each(['1', 'x'.repeat(2_000), '%F0%9F%98%80', unknownId.slice(1), `${unknownId}0`, '..%2F', '%00', unknownId])(
      'returns 404 for the id %s',
      async (id) => {
        const [method, path] = filled(operation, id);
        const reply = await tenant.send(method, path, body);
        const resource = path.split('/')[1] ?? '';
        expect([reply.status, reply.body.code]).toEqual([404, notFoundCodes[resource]]);
      },
    );
  });

  // Probes describe the current moment and are never cached.
  const kept = rows.filter(({ operation }) => !['GET /health/live', 'GET /health/ready'].includes(operation));

  it.each(kept.filter((row) => row.operation.startsWith('GET ') && row.status === 200))(
    '$operation supports HEAD and If-None-Match ($title)',
    async (row) => {
      const own = await api.tenant();
      const request = await row.request(own);
      const path = pathOf(row, request);
      const [get, head] = [await own.send('GET', path, request), await own.send('HEAD', path, request)];
      const counted = ['x-ratelimit-remaining', 'x-ratelimit-reset'];
      const changing = new Set(['date', 'x-request-id', 'etag', 'content-length', 'transfer-encoding', ...counted]);
      const lasting = Object.entries(get.headers).filter(([name]) => !changing.has(name));
      expect(head.status).toBe(200);
      expect(head.bytes).toHaveLength(0);
      expect(head.headers).toMatchObject(Object.fromEntries(lasting));
      if (row.body === null) return;
      expect(get.headers.etag).toMatch(/^"[\w-]+"$/);
      const whoeverAsks = row.operation === 'GET /openapi.json' ? 'public, max-age=300' : 'no-cache';
      expect(get.headers['cache-control']).toBe(row.open ? whoeverAsks : 'private, no-cache');
      // The response contains the current time, so its ETag changes.
      if (['GET /health', 'GET /nodes'].includes(row.operation)) return;
      expect(head.headers.etag).toBe(get.headers.etag);
      expect(head.headers['content-length']).toBe(String(get.bytes.length));
      const etag = get.headers.etag ?? '';
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const reply = await own.send('GET', path, { headers: { 'if-none-match': known } });
        expect([reply.status, reply.bytes.length, reply.headers.etag], known).toEqual([304, 0, etag]);
        expect(reply.headers['x-request-id']).toBeDefined();
      }
      expect((await own.send('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    },
  );
});

/** Returns the method and path of an operation with the same text for each parameter. */
function filled(operation: string, param: string): [string, string] {
  const path = operation.slice(operation.indexOf(' ') + 1).replace(/\{\w+\}/g, param);
  return [methodOf({ operation }), path];
}

/** Returns whether a path belongs to the operation, including literal segments such as `outbound` in place of an id. */
function covers(operation: string, path: string): boolean {
  const pattern = operation.slice(operation.indexOf(' ') + 1).replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern.replaceAll('.', '\\.')}$`).test(path);
}
