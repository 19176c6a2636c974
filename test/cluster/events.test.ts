import { randomUUID } from 'node:crypto';
import type { CallEvent } from '@va/core';
import { type Clock, systemClock } from '@va/core/adapter';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callTo, newNumber, newOrganization, startNode, type TestNode } from './support.ts';

let server: PostgresServer;
let owner: TestNode;
let other: TestNode;
const stopping = new AbortController();
beforeAll(async () => {
  server = await startPostgres();
  owner = await startNode(server.connectionString, { cluster: { leaseMs: 900 } });
  other = await startNode(server.connectionString);
});
afterAll(async () => {
  stopping.abort();
  await Promise.all([owner, other].map(({ va }) => va.close({ drainMs: 100 })));
  await server.stop();
});

/** Never fires timers of a second or more, which are those with which a node polls the storage. */
const withoutPolling: Clock = {
  nowMs: () => systemClock.nowMs(),
  wallMs: () => systemClock.wallMs(),
  setTimer: (delayMs, run) => (delayMs >= 1_000 ? { cancel() {} } : systemClock.setTimer(delayMs, run)),
};

/** Collects events until the signal is aborted. */
function collect(events: AsyncIterable<CallEvent>): CallEvent[] {
  const seen: CallEvent[] = [];
  void (async () => {
    for await (const event of events) seen.push(event);
  })();
  return seen;
}

async function answered(node: TestNode, orgId: string, count = 1): Promise<string[]> {
  return await vi.waitFor(async () => {
    const { calls } = await node.va.operations.calls.list(orgId, { status: 'in-progress' });
    if (calls.length < count) throw new Error(`${calls.length} of ${count} calls were answered`);
    return calls.map(({ id }) => id);
  });
}

/** Stores an event that the clock of its node dates `ageMs` before the present; returns its id. */
async function storeEvent(orgId: string, ageMs: number): Promise<string> {
  const id = randomUUID();
  const created_at = new Date(Date.now() - ageMs).toISOString();
  const data = { digit: '1', durationMs: 100 };
  await owner.storage.callEvents.insert(orgId, { id, call_id: id, seq: 1, type: 'dtmf', data, created_at });
  return id;
}

const idsOf = (events: readonly CallEvent[]): string[] => events.map(({ id }) => id);

/**
 * Stores events until the watcher has begun, which shows in the first delivered one. Returns the ids of those that it
 * must deliver.
 */
async function storeUntilDelivered(orgId: string, seen: readonly CallEvent[]): Promise<string[]> {
  const stored: string[] = [];
  await vi.waitFor(
    async () => {
      stored.push(await storeEvent(orgId, 0));
      expect(seen).not.toEqual([]);
    },
    { interval: 200 },
  );
  const due = stored.slice(stored.indexOf(seen[0]?.id ?? ''));
  await vi.waitFor(() => expect(idsOf(seen)).toEqual(due));
  return due;
}

describe('the events of a call', () => {
  it('are delivered by another node on a database notification, without polling', async ({ onTestFinished }) => {
    // The node does not renew its lease either, so that the lease has to outlast the test.
    const cluster = { leaseMs: 3_600_000 };
    const listening = await startNode(server.connectionString, { clock: withoutPolling, cluster });
    onTestFinished(() => listening.va.close({ drainMs: 100 }));
    // A node learns of others when it starts, and then periodically.
    const answering = await startNode(server.connectionString);
    onTestFinished(() => answering.va.close({ drainMs: 100 }));
    const number = newNumber();
    const orgId = await newOrganization(answering, number);
    const caller = callTo(answering, number);
    const [id = ''] = await answered(answering, orgId);
    const events = await listening.va.operations.calls.events(orgId, id, {
      lastEventId: null,
      signal: stopping.signal,
    });
    if (events === null) throw new Error('expected a live call');
    const seen = collect(events);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0));
    for (const digit of ['1', '2', '3'] as const) {
      const before = seen.length;
      caller.press(digit);
      await vi.waitFor(() => expect(seen.length).toBeGreaterThan(before));
    }
    caller.leave();
    await vi.waitFor(() => expect(seen.at(-1)?.data).toMatchObject({ status: 'ended' }));
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, n) => n + 1));
  });
});

describe('the events of an organization', () => {
  it('arrive once from all nodes, only from its own calls, and can be resumed', async () => {
    const [number, foreignNumber] = [newNumber(), newNumber()];
    const orgId = await newOrganization(owner, number);
    const foreign = await newOrganization(owner, foreignNumber);
    const { signal } = stopping;
    const seen = collect(await other.va.operations.calls.watch(orgId, { lastEventId: null, signal }));
    const callers = [callTo(owner, number), callTo(other, number), callTo(owner, foreignNumber)];
    const ids = await answered(owner, orgId, 2);
    await answered(owner, foreign);
    for (const caller of callers) {
      caller.press('7');
      caller.leave();
    }
    for (const id of ids) {
      await vi.waitFor(() => {
        const ofCall = seen.filter(({ call_id }) => call_id === id);
        expect(ofCall.map(({ seq }) => seq)).toEqual(ofCall.map((_, n) => n + 1));
        expect(ofCall.at(-1)?.data).toMatchObject({ status: 'ended' });
      });
    }
    expect(new Set(seen.map(({ call_id }) => call_id))).toEqual(new Set(ids));
    expect(new Set(idsOf(seen)).size).toBe(seen.length);

    const missed = idsOf(seen.slice(-3));
    const resumedAt = seen.at(-4)?.id ?? '';
    const again = collect(await owner.va.operations.calls.watch(orgId, { lastEventId: resumedAt, signal }));
    await vi.waitFor(() => expect(idsOf(again)).toEqual(expect.arrayContaining(missed)));
  });

  it('include events that a slow clock dated before events already delivered', async () => {
    const orgId = await newOrganization(owner, newNumber());
    const { signal } = stopping;
    const seen = collect(await other.va.operations.calls.watch(orgId, { lastEventId: null, signal }));
    const delivered = await storeUntilDelivered(orgId, seen);
    const late = [await storeEvent(orgId, 3_500), await storeEvent(orgId, 500)];
    await vi.waitFor(() => expect(idsOf(seen).sort()).toEqual([...delivered, ...late].sort()));
  });

  it('begin with the events stored after the request, even when a slow clock dated them earlier', async () => {
    const orgId = await newOrganization(owner, newNumber());
    const { signal } = stopping;
    await storeEvent(orgId, 100);
    const seen = collect(await other.va.operations.calls.watch(orgId, { lastEventId: null, signal }));
    const delivered = await storeUntilDelivered(orgId, seen);
    const behind = await storeEvent(orgId, 3_000);
    await vi.waitFor(() => expect(idsOf(seen)).toEqual([...delivered, behind]));
  });

  it('cannot be resumed from an invalid event id', async () => {
    const orgId = await newOrganization(owner, newNumber());
    const { signal } = stopping;
    await expect(owner.va.operations.calls.watch(orgId, { lastEventId: '17', signal })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_field',
    });
  });
});
