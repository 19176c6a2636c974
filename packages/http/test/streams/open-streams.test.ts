import { RequestError } from '@va/core';
import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { Handler, HandlerOptions } from '../../src/engine/handler.ts';
import { eventStream } from '../../src/engine/response/event-stream.ts';
import { defineRawRoute } from '../../src/route/define-route.ts';
import { createTestHost } from '../support/host.ts';
import { createProbeHost } from '../support/probe-host.ts';

async function* nothing(): AsyncGenerator<never, void, void> {
  await new Promise(() => {});
}

function setUp(options: HandlerOptions = {}): {
  handler: Handler;
  clock: VirtualClock;
  keys: { status: number | null };
} {
  const clock = new VirtualClock();
  const keys: { status: number | null } = { status: null };
  const { host } = createProbeHost({
    clock,
    async authenticate({ authorization }) {
      if (keys.status !== null) throw new RequestError(keys.status, 'unauthorized', 'No longer.');
      const [, orgId = '', key = ''] = /^Bearer (\w+):(\w+)$/.exec(authorization ?? '') ?? [];
      return { orgId, scopes: ['calls:read'], keyId: key };
    },
  });
  const watch = defineRawRoute({
    method: 'GET',
    path: '/watch',
    scope: 'calls:read',
    summary: 'Watch',
    content: [{ status: 200, description: 'The events.', mediaType: 'text/event-stream' }],
    run: async () => eventStream(nothing(), { clock, keepAliveMs: 3_600_000 }),
  });
  return { handler: createEngine(host, { probe: { watch } }, options), clock, keys };
}

async function open(
  handler: Handler,
  key: string,
): Promise<{ status: number; ended: Promise<boolean>; leave(): void }> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await handler.fetch(new Request('http://x/api/v1/watch', { headers }));
  const reader = response.body?.getReader();
  const ended = response.status === 200 && reader ? reader.read().then(({ done }) => done) : Promise.resolve(true);
  return { status: response.status, ended, leave: () => void reader?.cancel() };
}

async function isOpen(stream: { ended: Promise<boolean> }): Promise<boolean> {
  return await Promise.race([stream.ended.then(() => false), new Promise<boolean>((r) => setImmediate(r, true))]);
}

// Security: a revoked or expired key continued to read the calls of its organization.
it.each([401, 403])('a stream ends within 15 s after its key is refused with %i', async (status) => {
  const { handler, clock, keys } = setUp();
  const stream = await open(handler, 'acme:one');
  await clock.advance(60_000);
  expect(await isOpen(stream)).toBe(true);
  keys.status = status;
  await clock.advance(15_000);
  expect(await stream.ended).toBe(true);
});

it('a stream goes on while the storage does not answer', async () => {
  const { handler, clock, keys } = setUp();
  const stream = await open(handler, 'acme:one');
  keys.status = 503;
  await clock.advance(60_000);
  expect(await isOpen(stream)).toBe(true);
});

// Security: 2,850 idle streams of one tenant took 87 % of a processor.
it('streams are limited per key and organization, and ended ones do not count', async () => {
  const { handler } = setUp({ rateLimits: { streamsPerKey: 2, streamsPerOrganization: 3 } });
  const first = await open(handler, 'acme:one');
  expect((await open(handler, 'acme:one')).status).toBe(200);
  expect((await open(handler, 'acme:one')).status).toBe(429);
  expect((await open(handler, 'acme:two')).status).toBe(200);
  expect((await open(handler, 'acme:three')).status).toBe(429);
  expect((await open(handler, 'other:one')).status).toBe(200);
  first.leave();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await open(handler, 'acme:three')).status).toBe(200);
});

it('a stream ends at once when its key is revoked in the same process', async () => {
  const { host, key, orgId } = await createTestHost();
  const handler = createHandler(host);
  const headers = { authorization: `Bearer ${key}` };
  const response = await handler.fetch(new Request('http://x/api/v1/events', { headers }));
  const reader = response.body?.getReader();
  const [first] = await host.operations.apiKeys.list(orgId);
  await host.operations.apiKeys.revoke(orgId, String(first?.id));
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
  await handler.close();
});

// Security: keys are free, so a limit per key alone let one tenant use all requests.
it('requests of all keys of an organization are limited together', async () => {
  const { handler } = setUp({
    rateLimits: { requestsPerMinute: 2, requestsPerMinutePerOrganization: 3, streamsPerKey: 0 },
  });
  const statuses: number[] = [];
  for (const key of ['acme:a', 'acme:a', 'acme:b', 'acme:c', 'other:d'])
    statuses.push((await open(handler, key)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 200]);
});

it('every response forbids browsers to guess its media type', async () => {
  const { handler } = setUp();
  const response = await handler.fetch(new Request('http://x/api/v1/nothing'));
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});
