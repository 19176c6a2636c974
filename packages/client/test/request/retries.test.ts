import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientOf, thrownBy } from '../support/client-of.ts';
import { hangUp, hold, json, type Received, startServer } from '../support/scripted-server.ts';

const agents = json(200, { agents: [] });
const agent = json(201, { agent: { id: 'a1' } });
const busy = json(503, { code: 'unavailable' });
const wait = json(503, { code: 'unavailable' }, { 'retry-after': '0' });
const tooMany = json(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '0' });
const inProgress = json(409, { code: 'idempotency_in_progress' }, { 'retry-after': '0' });

const methodsOf = (received: readonly Received[]): string[] => received.map(({ method }) => method);
const keysOf = (received: readonly Received[]): unknown[] => received.map(({ headers }) => headers['idempotency-key']);

describe('the client', () => {
  it('repeats a GET twice when the network fails or the service is busy', async () => {
    const { baseUrl, received } = await startServer(hangUp, busy, agents);
    expect(await clientOf(baseUrl).agents.list()).toEqual([]);
    expect(methodsOf(received)).toEqual(['GET', 'GET', 'GET']);

    const down = await startServer(json(502, {}));
    expect(await thrownBy(clientOf(down.baseUrl).agents.list())).toMatchObject({ status: 502 });
    expect(down.received).toHaveLength(3);
  });

  it('repeats a POST with the same idempotency key', async () => {
    const { baseUrl, received } = await startServer(hangUp, json(504, {}), agent, agent);
    const client = clientOf(baseUrl);
    expect(await client.agents.create({ name: 'Reception' })).toEqual({ id: 'a1' });
    await client.agents.create({ name: 'Reception' });
    const [first, second, third, other] = keysOf(received);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
    expect(new Set(received.map(({ body }) => body))).toEqual(new Set(['{"name":"Reception"}']));
  });

  it('sends a given idempotency key with a POST, and none with a PATCH', async () => {
    const { baseUrl, received } = await startServer(agent);
    const client = clientOf(baseUrl);
    await client.agents.create({ name: 'x' }, { idempotencyKey: 'mine' });
    await client.agents.update('a1', { name: 'y' }, { idempotencyKey: 'mine' });
    expect(keysOf(received)).toEqual(['mine', undefined]);
  });

  it('repeats a POST while the first attempt is in progress, but not after another conflict', async () => {
    const { baseUrl, received } = await startServer(hangUp, inProgress, agent);
    expect(await clientOf(baseUrl).agents.create({ name: 'x' })).toEqual({ id: 'a1' });
    expect(received).toHaveLength(3);

    const conflict = await startServer(json(409, { code: 'duplicate_lead' }));
    const error = await thrownBy(clientOf(conflict.baseUrl).leads.add('c1', { phone_number: '+31612345678' }));
    expect(error).toMatchObject({ status: 409, code: 'duplicate_lead' });
    expect(conflict.received).toHaveLength(1);
  });

  it('repeats a PATCH or DELETE only if the service has not begun it', async () => {
    for (const notBegun of [tooMany, wait]) {
      const { baseUrl, received } = await startServer(notBegun, json(200, { success: true, agent: {} }));
      const client = clientOf(baseUrl);
      await client.agents.update('a1', { name: 'x' });
      await client.agents.delete('a1');
      expect(methodsOf(received)).toEqual(['PATCH', 'PATCH', 'DELETE']);
    }
    for (const unknown of [hangUp, busy, json(502, {}), json(504, {}, { 'retry-after': '0' })]) {
      const { baseUrl, received } = await startServer(unknown);
      const client = clientOf(baseUrl);
      await thrownBy(client.agents.update('a1', { name: 'x' }));
      await thrownBy(client.agents.delete('a1'));
      expect(methodsOf(received)).toEqual(['PATCH', 'DELETE']);
    }
  });

  it('does not repeat a refused or failed request, nor one that timed out', async () => {
    for (const status of [400, 401, 404, 422, 500]) {
      const { baseUrl, received } = await startServer(json(status, {}));
      expect(await thrownBy(clientOf(baseUrl).agents.list())).toMatchObject({ status });
      expect(received).toHaveLength(1);
    }
    const { baseUrl, received } = await startServer(hold);
    const client = clientOf(baseUrl, { timeoutMs: 100 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const [timeoutMs, options] of [[100], [50, { timeoutMs: 50 }]] as const) {
      received.length = 0;
      const thrown = thrownBy(client.agents.list({}, options));
      while (received.length === 0) await setImmediate();
      await vi.advanceTimersByTimeAsync(timeoutMs);
      expect(await thrown).toMatchObject({ code: 'timeout' });
      expect(received).toHaveLength(1);
    }
  });

  it('waits for Retry-After, up to a minute', async () => {
    const { baseUrl, received } = await startServer(json(429, {}, { 'retry-after': '61' }));
    expect(await thrownBy(clientOf(baseUrl).agents.list())).toMatchObject({ status: 429, retryAfterMs: 61_000 });
    expect(received).toHaveLength(1);

    const patient = await startServer(json(429, {}, { 'retry-after': '1' }), agents);
    const startedAt = performance.now();
    await clientOf(patient.baseUrl).agents.list();
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it('does not repeat with a retry limit of 0', async () => {
    const { baseUrl, received } = await startServer(busy);
    await thrownBy(clientOf(baseUrl, { retry: { limit: 0 } }).agents.list());
    expect(received).toHaveLength(1);
  });

  it('throws the reason of its signal: before the request, during it, and between two attempts', async () => {
    const reason = new Error('The user left.');
    const { baseUrl, received } = await startServer(hold, json(429, {}, { 'retry-after': '30' }));
    const client = clientOf(baseUrl);
    expect(await thrownBy(client.agents.list({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(received).toHaveLength(0);
    for (const count of [1, 2]) {
      const abort = new AbortController();
      const call = thrownBy(client.agents.list({}, { signal: abort.signal }));
      while (received.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
      setTimeout(() => abort.abort(reason), 50);
      expect(await call).toBe(reason);
    }
    expect(received).toHaveLength(2);
  });

  it('calls apiKey before each request', async () => {
    const { baseUrl, received } = await startServer(agents);
    let calls = 0;
    const apiKey = async (): Promise<string> => {
      calls += 1;
      return `token-${calls}`;
    };
    const client = clientOf(baseUrl, { apiKey });
    await client.agents.list();
    await client.agents.list();
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });
});
