import { memory } from '@va/storage/memory';
import { sampleAgent, sampleCall, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { endCallsOfNodes, endLostCalls, type LostCallsDependencies } from '../../../src/calls/record/lost-calls.ts';
import { ProviderRegistry } from '../../../src/calls/session/provider-registry.ts';
import { PriceList } from '../../../src/costs/price-list.ts';
import type { CallRecord } from '../../../src/domain/calls/call.ts';
import type { RecordingStore } from '../../../src/ports/recordings.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { ScriptedCluster } from '../../cluster/scripted-cluster.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { recordId, startedAt } from '../../support/sample-records.ts';
import { startedWebhooks } from '../../support/started-webhooks.ts';

const nodeId = recordId('e', 1);
const otherNodeId = recordId('e', 2);
const callId = recordId('7', 1);
const noRecordings: RecordingStore = {
  create: () => Promise.reject(new Error('not used')),
  open: async () => null,
  delete: async () => false,
};

let clock: VirtualClock;
let storage: Storage;
let started: ReturnType<typeof startedWebhooks>;
let emitted: string[];
let announced: string[];

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  started = startedWebhooks(clock);
  emitted = [];
  announced = [];
  const limits = { minutes_balance: 100, webhook_url: 'https://customer.test/hook' };
  await storage.organizations.insert(orgId, { ...organizationOf(orgId, clock), ...limits });
});

function deps(changes: Partial<LostCallsDependencies> = {}): LostCallsDependencies {
  return {
    ...started,
    storage,
    recordings: noRecordings,
    recordingUrl: (id) => `https://va.test/${id}`,
    pricing: { currency: 'EUR', perMinute: 0.6 },
    prices: new PriceList({ currency: 'EUR' }),
    afterCall: { plan: ({ call }) => ({ call, reportsLater: false, jobs: [], begin() {} }) },
    campaignPublisher: { callEnded: (_orgId, { id }) => void announced.push(id) },
    emit: (name) => void emitted.push(name),
    registry: new ProviderRegistry([]),
    ...changes,
  };
}

/** Stores a call of the other node that began at `startedAt` and was answered. */
async function lost(changes: Partial<CallRecord> = {}): Promise<void> {
  const call = sampleCall({
    id: callId,
    status: 'in-progress',
    node_id: otherNodeId,
    answered_at: startedAt,
    created_at: startedAt,
    ...changes,
  });
  await storage.calls.insert(orgId, call);
}

async function talkedUntil(seconds: number, id = callId): Promise<void> {
  await storage.callEvents.insertMany(orgId, [
    {
      id: recordId('b', seconds),
      call_id: id,
      seq: 1,
      type: 'transcript',
      data: { role: 'user', content: 'Hello?' },
      created_at: new Date(Date.parse(startedAt) + seconds * 1_000).toISOString(),
    },
  ]);
}

const stored = async (id = callId): Promise<CallRecord | null> => await storage.calls.get(orgId, id);
const end = (
  options: { live?: readonly string[]; graceMs?: number } = {},
  parts: Partial<LostCallsDependencies> = {},
) => endLostCalls(deps(parts), { isLive: (id) => (options.live ?? []).includes(id), graceMs: options.graceMs ?? 0 });

/** The same records, seen by several processes. */
function shared(cluster?: ScriptedCluster): Storage {
  const capabilities = { ...storage.capabilities, shared: true };
  return cluster === undefined ? { ...storage, capabilities } : { ...storage, capabilities, cluster };
}

describe('the end of a lost call', () => {
  it('is a failure, with what is stored of the conversation', async () => {
    await lost();
    await talkedUntil(90);
    await clock.advance(600_000);
    await end();
    expect(await stored()).toMatchObject({
      status: 'failed',
      end_reason: 'worker_lost',
      messages: [{ role: 'user', content: 'Hello?' }],
      ended_at: '2026-01-01T09:10:00.000Z',
      node_id: null,
    });
  });

  it('charges the time up to the last sign of life', async () => {
    await lost();
    await talkedUntil(90);
    await clock.advance(600_000);
    await end();
    expect(await stored()).toMatchObject({ duration_seconds: 90, cost: 0.9 });
    expect((await storage.organizations.get(orgId, orgId))?.minutes_balance).toBe(98.5);
    expect(await storage.usageLogs.count(orgId)).toBe(1);
  });

  it('charges nothing for a call that was not answered, or has no sign of life', async () => {
    await lost({ answered_at: null, status: 'connecting' });
    await lost({ id: recordId('7', 2) });
    await talkedUntil(90);
    await clock.advance(1);
    await end();
    expect([(await stored())?.duration_seconds, (await stored(recordId('7', 2)))?.duration_seconds]).toEqual([0, 0]);
    expect((await storage.organizations.get(orgId, orgId))?.minutes_balance).toBe(100);
  });

  it('is reported to the customer, the host and the campaigns', async () => {
    const agent = sampleAgent({ webhook_url: 'https://agent.test/hook' });
    await storage.agents.insert(orgId, agent);
    await lost({ agent_id: agent.id });
    await clock.advance(1);
    await end();
    expect(started.webhooks.messages.map(({ event, target }) => [event, target.url])).toEqual([
      ['status-update', 'https://agent.test/hook'],
      ['end-of-call-report', 'https://agent.test/hook'],
    ]);
    expect([emitted, announced]).toEqual([['call.ended'], [callId]]);
  });

  it('is reported once if another process ends it at the same time', async () => {
    await lost();
    await clock.advance(1);
    await Promise.all([end(), end()]);
    expect([emitted, await storage.usageLogs.count(orgId)]).toEqual([['call.ended'], 1]);
  });

  it('has the recording that the store completes, and none if the store fails', async () => {
    await lost();
    await clock.advance(1);
    await end({}, { recordings: { ...noRecordings, finish: async () => true } });
    expect((await stored())?.recording_url).toBe(`https://va.test/${callId}`);
    await lost({ id: recordId('7', 2) });
    await clock.advance(1);
    await end({}, { recordings: { ...noRecordings, finish: () => Promise.reject(new Error('the disk is full')) } });
    expect(await stored(recordId('7', 2))).toMatchObject({ status: 'failed', recording_url: null });
  });

  it('has the recording that a store without completion opens', async () => {
    await lost();
    await clock.advance(1);
    const recording = { contentType: 'audio/wav', byteLength: 44, read: () => new ReadableStream<Uint8Array>() };
    await end({}, { recordings: { ...noRecordings, open: async () => recording } });
    expect((await stored())?.recording_url).not.toBeNull();
  });
});

describe('endLostCalls', () => {
  async function isEnded(call: Partial<CallRecord>, agoMs: number, run: () => Promise<void>): Promise<boolean> {
    await lost(call);
    await clock.advance(agoMs);
    await run();
    return (await stored())?.status === 'failed';
  }
  const hourMs = 3_600_000;
  const nodes = (...ids: readonly string[]): ScriptedCluster => {
    const cluster = new ScriptedCluster();
    for (const id of ids) cluster.members.set(id, { id } as Parameters<ScriptedCluster['join']>[0]);
    return cluster;
  };

  it.each<[string, boolean, Partial<CallRecord>, number, () => Promise<void>]>([
    ['is not live here, with a storage of this process', true, {}, 1, () => end()],
    ['is live here', false, {}, 1, () => end({ live: [callId] })],
    ['is younger than the grace', false, {}, 5_000, () => end({ graceMs: 5_000 })],
    ['is older than the grace', true, {}, 5_001, () => end({ graceMs: 5_000 })],
    ['has ended', false, { status: 'ended', end_reason: 'user_hangup' }, 1, () => end()],
    ['belongs to a node that is there', false, {}, hourMs, () => end({}, { storage: shared(nodes(otherNodeId)) })],
    ['belongs to a node that is gone', true, {}, hourMs, () => end({}, { storage: shared(nodes(nodeId)) })],
    ['has just begun on an unknown node', false, {}, 60_000, () => end({}, { storage: shared(nodes(nodeId)) })],
    ['belongs to no node', false, { node_id: null }, hourMs, () => end({}, { storage: shared(nodes(nodeId)) })],
    [
      'is older than any call can be',
      true,
      {},
      13 * hourMs + 1,
      () => end({}, { storage: shared(nodes(otherNodeId)) }),
    ],
    ['is in a shared storage without nodes', false, {}, 12 * hourMs, () => end({}, { storage: shared() })],
    ['is too old, in a shared storage without nodes', true, {}, 13 * hourMs + 1, () => end({}, { storage: shared() })],
  ])('ends a call that %s: %s', async (_what, expected, call, agoMs, run) => {
    expect(await isEnded(call, agoMs, run)).toBe(expected);
  });
});

describe('endCallsOfNodes', () => {
  it('ends the calls of these nodes, however many', async () => {
    for (let n = 1; n <= 45; n += 1) await lost({ id: recordId('7', n) });
    await lost({ id: recordId('8'), node_id: nodeId });
    await endCallsOfNodes(deps(), [otherNodeId]);
    expect(emitted).toHaveLength(45);
    expect((await stored(recordId('8')))?.status).toBe('in-progress');
  });

  it('rejects if calls could not be ended', async () => {
    await lost();
    const failing: Storage = { ...storage, transaction: () => Promise.reject(new Error('the database is down')) };
    const ending = endCallsOfNodes(deps({ storage: failing }), [otherNodeId]);
    const outcome = ending.then(
      () => null,
      (error: unknown) => error,
    );
    // Two rounds, each with the retries of 50 s.
    await clock.advance(120_000);
    expect(await outcome).toMatchObject({ code: 'unavailable' });
    expect((await stored())?.status).toBe('in-progress');
  });
});

describe('a lost call of an organization that was deleted', () => {
  it('ends without webhooks', async () => {
    await lost();
    await storage.organizations.delete(orgId, orgId);
    await clock.advance(1);
    await end();
    expect(await stored()).toMatchObject({ status: 'failed', end_reason: 'worker_lost' });
    expect(started.webhooks.messages).toEqual([]);
  });
});
