import type { Principal, PublishableKey } from '@va/core';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/message/http-request.ts';
import type { JsonResponse, RawResponse, Route, RouteGroups, ScopedRequest } from '../../src/route/route.ts';
import { routes } from '../../src/routes/routes.ts';
import { recordedOperations } from '../support/recorded-operations.ts';
import { requestOf } from '../support/request.ts';

interface Given {
  readonly result?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly request?: HttpRequest;
  readonly principal?: Partial<Principal>;
  readonly host?: object;
}

const groups: RouteGroups = routes;
const id = '0190e9a0-7c3b-7aaa-8bbb-c0ffee000001';

function routeOf(name: string): Route {
  const [group = '', route = ''] = name.split('.');
  const found = groups[group]?.[route];
  if (found === undefined) throw new Error(`There is no route ${name}.`);
  return found;
}

/** Runs a route whose operation returns the result. */
async function run(name: string, { result = {}, params = { id }, query = {}, request, principal, host }: Given = {}) {
  const { operations, calls } = recordedOperations(result);
  const given = {
    ...{ operations, apiPath: '/api/v1', params, query, body: {}, orgId: 'acme' },
    host: { clock: new VirtualClock(), ...host },
    request: request ?? requestOf({}),
    principal: { orgId: 'acme', scopes: ['*'], keyId: 'key', ...principal },
  };
  const response = await routeOf(name).handle(given as unknown as ScopedRequest);
  return { response, calls };
}
const json = async (name: string, given?: Given) => (await run(name, given)).response as JsonResponse;
const raw = async (name: string, given?: Given) => (await run(name, given)).response as RawResponse;

describe('the response of a route', () => {
  it.each([
    ['agents.create', { id }, 201, { agent: { id } }, `/agents/${id}`],
    ['agents.get', { id }, 200, { agent: { id } }, null],
    ['agents.list', [{ id }], 200, { agents: [{ id }] }, null],
    ['calls.place', { call_id: id }, 201, { call_id: id }, `/calls/${id}`],
    ['calls.createWebCall', { token: 't' }, 201, { token: 't' }, null],
    ['calls.listen', { token: 't' }, 201, { token: 't' }, null],
    ['numbers.register', { id }, 201, { number: { id } }, `/numbers/${id}`],
    ['trunks.create', { id }, 200, { trunk: { id } }, null],
    ['trunks.healthOfAll', [{ id }], 200, { trunks: [{ id }] }, null],
    ['campaigns.create', { id }, 201, { campaign: { id } }, `/campaigns/${id}`],
    ['leads.add', { id: 'l', campaign_id: id }, 201, { lead: { id: 'l', campaign_id: id } }, `/campaigns/${id}/leads`],
    ['leads.addMany', { created: 1 }, 200, { created: 1 }, null],
    ['doNotCall.add', { id }, 201, { entry: { id } }, '/do-not-call'],
    ['domains.add', { id }, 201, { id }, '/domains'],
    ['domains.get', null, 200, null, null],
    ['toolTemplates.create', { id }, 201, { toolTemplate: { id } }, `/tool-templates/${id}`],
    ['analysisTemplates.create', { id }, 201, { id }, `/analysis-templates/${id}`],
    ['publishableKeys.create', { id }, 201, { publishable_key: { id } }, `/publishable-keys/${id}`],
    ['webhookDeliveries.redeliver', { success: true }, 202, { success: true }, null],
    ['byok.list', { a: null }, 200, { byok_keys: { a: null } }, null],
    ['byok.set', { a: 's' }, 200, { success: true, byok_keys: { a: 's' } }, null],
    ['byok.deleteOf', { a: null }, 200, { success: true, byok_keys: { a: null } }, null],
    ['byok.config', { id: 'openai' }, 200, { providers: [{ id: 'openai' }] }, null],
    ['apiKeys.create', { apiKey: { id }, secret: 's' }, 201, { api_key: { id }, secret: 's' }, '/api-keys'],
  ])('of %s with the result %j has the status %i', async (name, result, status, body, location) => {
    expect(await json(name, { result })).toEqual({ status, json: body, location });
  });

  it.each(
    Object.entries(groups).flatMap(([group, named]) =>
      Object.entries(named)
        .filter(([, { method }]) => method === 'DELETE')
        .map(([name]) => `${group}.${name}`)
        .filter((name) => !name.startsWith('byok')),
    ),
  )('of %s only reports success', async (name) => {
    expect(await json(name, { result: { secret: 'record' } })).toMatchObject({ status: 200, json: { success: true } });
  });

  it.each([
    ['apiKeys.create', true, false],
    ['calls.createWebCall', true, true],
    ['calls.listen', true, false],
    ['calls.takeOver', true, false],
    ['agents.create', false, false],
  ])('of %s is secret: %j, and available to pages: %j', (name, secret, admitsPages) => {
    expect(routeOf(name)).toMatchObject({ secret, admitsPages });
  });
});

describe('a web call', () => {
  it('is created for the page of a publishable key, with its origin', async () => {
    const publishableKey = { id: 'k' } as PublishableKey;
    const request = requestOf({ headers: { origin: 'https://www.example.com' } });
    const { calls } = await run('calls.createWebCall', { request, principal: { publishableKey } });
    expect(calls[0]?.[3]).toEqual({ publishableKey, origin: 'https://www.example.com' });
  });
});

describe('the limits of routes', () => {
  it.each([
    ['calls.control', { name: 'control', key: id }],
    ['agents.tryTool', { name: 'toolTrial', key: id }],
    ['voices.sample', { name: 'voiceSample', key: '' }],
  ])('of %s count %j', (name, limit) => {
    expect(routeOf(name).limit?.({ params: { id } })).toEqual(limit);
  });
});

describe('the health of the service', () => {
  it.each([
    ['ok', 200],
    ['degraded', 200],
    ['unavailable', 503],
  ])('that is %s has the status %i', async (status, code) => {
    const health = { status, version: '1', timestamp: 't', checks: {} };
    const response = await json('health.get', { host: { health: async () => health } });
    expect(response).toMatchObject({ status: code, json: health });
  });
});

describe('access', () => {
  it('of a key has its scopes and its id', async () => {
    const { json: body } = await json('access.get', { principal: { scopes: ['calls:read'], keyId: 'key' } });
    expect(body).toEqual({
      ...{ organization_id: 'acme', scopes: ['calls:read'], key_id: 'key', subject: null, is_operator: false },
    });
  });

  it('of a session of the host has its user', async () => {
    const principal = { keyId: null, subject: 'ann', isOperator: true };
    expect((await json('access.get', { principal })).json).toMatchObject({
      ...{ key_id: null, subject: 'ann', is_operator: true },
    });
  });
});

describe('the nodes of the deployment', () => {
  const host = { deployment: async () => ({ nodes: [], queues: [] }) };

  it('are listed for its operators only', async () => {
    expect((await json('nodes.list', { host, principal: { isOperator: true } })).json).toEqual({
      nodes: [],
      queues: [],
    });
    await expect(json('nodes.list', { host, principal: { scopes: ['*'] } })).rejects.toMatchObject({ status: 403 });
  });
});

describe('the recording of a call', () => {
  const recording = {
    ...{ contentType: 'audio/wav', byteLength: 10, url: 'https://s3.example/x' },
    read: () => new ReadableStream<Uint8Array>(),
  };

  it.each([
    [{}, 302],
    [{ redirect: 'true' }, 302],
    [{ redirect: 'false' }, 200],
  ])('with the query %j has the status %i', async (query, status) => {
    expect((await raw('calls.recording', { result: recording, query })).status).toBe(status);
  });
});

describe('the leads of a campaign as CSV', () => {
  async function* csv(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('phone_number\n');
    yield Buffer.from('+31612345678\n');
  }

  it('are streamed as a file that is named after the campaign', async () => {
    const { status, headers, body } = await raw('leads.export', { result: csv(), params: { id: id.toUpperCase() } });
    expect([status, headers['content-disposition'], headers['cache-control']]).toEqual([
      ...[200, `attachment; filename="campaign-${id}.csv"`],
      'no-store',
    ]);
    expect(await new Response(body as ReadableStream<Uint8Array>).text()).toBe('phone_number\n+31612345678\n');
  });

  it('have no body for HEAD', async () => {
    const request = requestOf({ method: 'HEAD' });
    expect((await raw('leads.export', { result: csv(), request })).body).toBeNull();
  });
});

describe('the sample of a voice', () => {
  it('is a WAV file that is not stored', async () => {
    const audio = Buffer.from('RIFF');
    expect(await raw('voices.sample', { result: audio })).toEqual({
      status: 200,
      headers: { 'content-type': 'audio/wav', 'content-length': '4', 'cache-control': 'no-store' },
      body: audio,
    });
  });
});

describe('event streams', () => {
  async function* one(event: object): AsyncGenerator<object> {
    yield event;
  }
  const textOf = async (name: string, result: unknown): Promise<string> => {
    const { body } = await raw(name, { result });
    const { value } = await (body as ReadableStream<Uint8Array>).getReader().read();
    return new TextDecoder().decode(value);
  };
  const event = { id: 'e7', seq: 7, type: 'status', call_id: id, created_at: '2026-01-01T00:00:00.000Z', data: {} };

  it('identify the events of a call by their number', async () => {
    expect(await textOf('calls.events', one(event))).toMatch(/^id: 7\nevent: status\ndata: \{.*"call_id"/);
  });

  it('identify the events of all calls by their id', async () => {
    expect(await textOf('calls.watch', one(event))).toMatch(/^id: e7\nevent: status\ndata: /);
  });

  it('of live calls and campaigns have no id, because they cannot be resumed', async () => {
    expect(await textOf('calls.live', one({ type: 'levels', call_id: id }))).toBe(
      `event: levels\ndata: {"type":"levels","call_id":"${id}"}\n\n`,
    );
    expect(await textOf('campaigns.events', one({ status: 'running' }))).toBe(
      'event: progress\ndata: {"status":"running"}\n\n',
    );
  });

  it('are 204 when no event can follow, so that browsers do not reconnect', async () => {
    expect(await raw('calls.events', { result: null })).toEqual({ status: 204, headers: {}, body: null });
  });

  it.each(['calls.events', 'calls.watch', 'calls.live', 'campaigns.events'])(
    'of %s have no end of their own',
    async (name) => {
      expect((await raw(name, { result: one({}) })).isEndless).toBe(true);
    },
  );
});
