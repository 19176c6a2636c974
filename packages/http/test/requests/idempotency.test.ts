import { type HandlerHost, RequestError } from '@va/core/adapter';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createEngine } from '../../src/engine/engine.ts';
import type { Handler } from '../../src/engine/handler.ts';
import { collect } from '../../src/message/request-body.ts';
import { defineRoute } from '../../src/route/define-route.ts';
import type { RouteGroups } from '../../src/route/route.ts';
import { type MemoryIdempotency, memoryIdempotency } from '../support/memory-idempotency.ts';
import { createProbeHost, type ProbeHost } from '../support/probe-host.ts';

let store: MemoryIdempotency;
let probed: ProbeHost;
let handler: Handler;
let runs: unknown[];
let run: (input: unknown) => Promise<unknown>;

const result = z.object({ value: z.unknown() });
const common = { method: 'POST', scope: 'x:write', summary: 'X', status: 201, result } as const;

const groups: RouteGroups = {
  things: {
    make: defineRoute({
      ...common,
      path: '/things',
      query: z.record(z.string(), z.string()),
      body: z.unknown(),
      location: ({ value }) => `/things/${value}`,
      run: async ({ body, query }) => work({ body, query }),
    }),
    other: defineRoute({ ...common, path: '/others/:id', run: async ({ params }) => work(params.id) }),
    secret: defineRoute({ ...common, path: '/secrets', secret: true, run: async () => work('secret') }),
    file: defineRoute({
      ...common,
      path: '/files',
      body: { kinds: ['text/csv', 'multipart/form-data'], maxBytes: 1_000 },
      run: async ({ file }) => work(new TextDecoder().decode(await collect(file))),
    }),
    change: defineRoute({ ...common, method: 'PATCH', path: '/things', run: async () => work('changed') }),
  },
};

async function work(input: unknown): Promise<{ value: unknown }> {
  runs.push(input);
  return { value: await run(input) };
}

beforeEach(() => {
  store = memoryIdempotency();
  probed = createProbeHost({ idempotency: store });
  handler = createEngine(probed.host, groups, { basePath: '/voice' });
  runs = [];
  run = async () => runs.length;
});

interface Sending {
  readonly key?: string;
  readonly org?: string;
  readonly method?: string;
  readonly body?: string | FormData;
  readonly base?: string;
  readonly type?: string;
}

async function send(path: string, sending: Sending = {}): Promise<Response> {
  const { key = 'k1', org = 'acme', method = 'POST', body = '{"a":1}', type = 'application/json' } = sending;
  const headers = new Headers({ authorization: `Bearer ${org}`, 'idempotency-key': key });
  if (typeof body === 'string') headers.set('content-type', type);
  return await handler.fetch(new Request(`http://x/voice/api/v1${path}`, { method, headers, body }));
}

describe('an Idempotency-Key', () => {
  it('runs a request once, and replays its response', async () => {
    const first = await send('/things');
    const second = await send('/things');
    expect(runs).toHaveLength(1);
    expect([second.status, second.headers.get('location')]).toEqual([201, '/voice/api/v1/things/1']);
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get('content-type')).toBe('application/json');
    expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('cache-control')).toBe('no-store');
  });

  it('prefixes the replayed Location with the path of the current mount', async () => {
    await send('/things');
    const elsewhere = createEngine(probed.host, groups, { basePath: '/elsewhere' });
    const headers = { authorization: 'Bearer acme', 'idempotency-key': 'k1', 'content-type': 'application/json' };
    const request = new Request('http://x/elsewhere/api/v1/things', { method: 'POST', headers, body: '{"a":1}' });
    const replay = await elsewhere.fetch(request);
    expect(replay.headers.get('location')).toBe('/elsewhere/api/v1/things/1');
  });

  it('applies within one organization, path and method', async () => {
    await send('/things');
    await send('/things', { org: 'other' });
    await send('/others/1');
    await send('/others/2');
    await send('/things', { key: 'k2' });
    await send('/things', { method: 'PATCH' });
    await send('/things', { method: 'PATCH' });
    expect(runs).toHaveLength(7);
  });

  it.each([
    ['body', '/things', '{"a":2}'],
    ['query', '/things?dry_run=true', '{"a":1}'],
  ])('refuses another %s', async (_case, path, body) => {
    await send('/things');
    const reused = await send(path, { body });
    expect([reused.status, await reused.json()]).toMatchObject([422, { code: 'idempotency_key_reused' }]);
    expect(runs).toHaveLength(1);
  });

  it('responds 409 with Retry-After while the first request is in progress', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    run = async () => {
      await gate;
      return 'slow';
    };
    const first = send('/things');
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    const second = await send('/things');
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1']);
    expect(await second.json()).toMatchObject({ code: 'idempotency_in_progress', retry_after: 1 });
    open();
    expect((await first).status).toBe(201);
    expect((await send('/things')).headers.get('idempotent-replayed')).toBe('true');
  });

  // Security: refusals of up to 9 MB were kept for a day.
  it('does not store the response of a refused request', async () => {
    run = async () => {
      throw new RequestError(409, 'thing_exists', 'There is one.');
    };
    const first = await send('/things');
    const second = await send('/things');
    expect([first.status, second.status, runs.length]).toEqual([409, 409, 2]);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
  });

  it('does not store a response of more than 64 kB', async () => {
    run = async () => 'x'.repeat(70_000);
    expect([(await send('/things')).status, (await send('/things')).status, runs.length]).toEqual([201, 201, 2]);
  });

  it.each([500, 503, 429, 401, 403])('runs a request again that failed with %i', async (status) => {
    run = async () => {
      if (runs.length > 1) return 'done';
      throw status === 500 ? new Error('bug') : new RequestError(status, 'failed', 'It failed.');
    };
    expect((await send('/things')).status).toBe(status);
    const second = await send('/things');
    expect([second.status, second.headers.get('idempotent-replayed'), runs.length]).toEqual([201, null, 2]);
  });

  it('does not store a request whose body was unreadable', async () => {
    expect((await send('/things', { body: '{' })).status).toBe(400);
    expect((await send('/things', { body: 'x', type: 'text/plain' })).status).toBe(415);
    expect((await send('/things')).status).toBe(201);
  });

  it('marks a response with a new secret as secret', async () => {
    await send('/secrets');
    await send('/things');
    expect([...store.entries.values()].map(({ answer }) => answer?.secret)).toEqual([true, false]);
  });

  it('replays a secret only to the key that received it', async () => {
    const { authenticate } = probed.host;
    let keyId = 'one';
    const host: HandlerHost = {
      ...probed.host,
      authenticate: async (given) => ({ ...(await authenticate(given)), keyId }),
    };
    handler = createEngine(host, groups, { basePath: '/voice' });
    await send('/secrets');
    await send('/things');
    keyId = 'another';
    expect(await (await send('/secrets')).json()).toMatchObject({ code: 'idempotency_key_reused' });
    expect((await send('/things')).headers.get('idempotent-replayed')).toBe('true');
    keyId = 'one';
    expect((await send('/secrets')).headers.get('idempotent-replayed')).toBe('true');
  });

  it('recognizes the same file in a form with another boundary', async () => {
    const form = (content: string): FormData => {
      const data = new FormData();
      data.append('file', new Blob([content]), 'leads.csv');
      return data;
    };
    await send('/files', { body: form('a,b') });
    expect((await send('/files', { body: form('a,b') })).headers.get('idempotent-replayed')).toBe('true');
    expect((await send('/files', { body: form('a,c') })).status).toBe(422);
    expect(runs).toEqual(['a,b']);
  });

  it.each(['', 'x'.repeat(256), 'caf\u00e9'])('refuses the key %j', async (key) => {
    const response = await send('/things', { key });
    expect([response.status, await response.json()]).toMatchObject([400, { param: 'Idempotency-Key' }]);
    expect(runs).toEqual([]);
  });

  it.each(['x', 'a key, with ~ all', 'x'.repeat(255)])('accepts the key %j', async (key) => {
    expect((await send('/things', { key })).status).toBe(201);
  });

  it('responds although the response could not be stored, and logs that', async () => {
    const broken: HandlerHost['idempotency'] = {
      begin: async () => ({
        state: 'new',
        finish: () => Promise.reject(new Error('no disk')),
        abandon: () => Promise.reject(new Error('no disk')),
      }),
    };
    probed = createProbeHost({ idempotency: broken });
    handler = createEngine(probed.host, groups, { basePath: '/voice' });
    expect((await send('/things')).status).toBe(201);
    expect(probed.logged).toMatchObject([{ message: 'failed to store the response of an idempotency key' }]);
  });
});
