import assert from 'node:assert/strict';
import { ReferenceViolation, type Storage, UniqueViolation } from '@va/core/adapter';
import { anyCollection } from '../any-records.ts';
import { ids } from '../expect.ts';
import { insertSample, newId, sampleRecord, schemaOf } from '../samples.ts';
import type { StorageTest, StorageTestContext } from '../storage-test.ts';
import { insertLeads } from './across.ts';

/** Tests of concurrent verbs, each on its own connection if the adapter has several. */
export const raceTests: readonly StorageTest[] = [
  {
    name: 'lets one of many updates with the same expectation win',
    async run(context) {
      const orgId = newId();
      for (let round = 0; round < 5; round += 1) {
        const call = await insertSample(context.storage, orgId, 'calls', { status: 'in-progress' });
        const results = await atOnce(context, 12, (peer, n) =>
          peer.calls.update(orgId, call.id, { status: 'ended', duration_seconds: n }, { status: 'in-progress' }),
        );
        const won = results.map(fulfilled).filter((result) => result !== null);
        assert.equal(won.length, 1);
        assert.deepStrictEqual(await context.storage.calls.get(orgId, call.id), won[0]);
      }
    },
  },
  {
    name: 'gives each record to one of many claims, and leaves none unclaimed',
    async run(context) {
      const [campaign_id, leads] = await insertLeads(
        context.storage,
        Array.from({ length: 24 }, (_, n) => n),
      );
      const claims = await atOnce(context, 12, (peer) =>
        peer.across.leads.claim({
          filter: { where: { campaign_id, status: 'pending' } },
          changes: { status: 'calling' },
          limit: 2,
          orderBy: 'next_attempt_at',
        }),
      );
      const claimed = claims.flatMap(fulfilled).map(({ record }) => record.id);
      const rest = await context.storage.across.leads.claim({
        filter: { where: { campaign_id, status: 'pending' } },
        changes: { status: 'calling' },
        limit: 99,
      });
      const all = [...claimed, ...rest.map(({ record }) => record.id)];
      assert.equal(new Set(all).size, all.length, 'a record was claimed twice');
      assert.deepStrictEqual(all.sort(), ids(leads.map(({ record }) => record)).sort());
    },
  },
  {
    name: 'lets one of many inserts with the same unique value win',
    async run(context) {
      const { number } = sampleRecord(schemaOf('numbers'), 0) as unknown as { number: string };
      const orgId = newId();
      const results = await atOnce(context, 12, (peer) => insertSample(peer, orgId, 'numbers', { number }));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const result of results) {
        if (result.status === 'rejected') assert.ok(result.reason instanceof UniqueViolation, String(result.reason));
      }
    },
  },
  {
    name: 'inserts each of the same many records once',
    async run(context) {
      const orgId = newId();
      const records = Array.from({ length: 40 }, (_, n) => sampleRecord(schemaOf('toolTemplates'), n));
      const results = await atOnce(context, 6, (peer, n) =>
        anyCollection(peer, 'toolTemplates').insertMany(orgId, n % 2 === 0 ? records : [...records].reverse()),
      );
      assert.deepStrictEqual(results.flatMap(fulfilled).sort(), ids(records).sort());
    },
  },
  {
    name: 'loses none of many increments',
    async run(context) {
      const orgId = newId();
      const { id } = await insertSample(context.storage, orgId, 'usageLogs', { duration_seconds: 0, cost: 0 });
      await atOnce(context, 40, (peer) => peer.usageLogs.increment(orgId, id, { duration_seconds: 1, cost: 0.25 }));
      const log = await context.storage.usageLogs.get(orgId, id);
      assert.deepStrictEqual([log?.duration_seconds, log?.cost], [40, 10]);
    },
  },
  {
    name: 'lets one transaction at a time hold the lock on a record',
    async run(context) {
      const orgId = newId();
      const { id } = await insertSample(context.storage, orgId, 'usageLogs', { duration_seconds: 0 });
      const results = await atOnce(context, 12, (peer) =>
        peer.transaction(async (tx) => {
          const locked = await tx.usageLogs.lock(orgId, id);
          await tx.usageLogs.update(orgId, id, { duration_seconds: (locked?.duration_seconds ?? 0) + 1 });
        }),
      );
      for (const result of results) fulfilled(result);
      assert.equal((await context.storage.usageLogs.get(orgId, id))?.duration_seconds, 12);
    },
  },
  {
    name: 'leaves no reference to a record that is deleted at the same moment',
    async run(context) {
      const orgId = newId();
      for (let round = 0; round < 10; round += 1) {
        const agent = await insertSample(context.storage, orgId, 'agents');
        const results = await atOnce<unknown>(context, 4, (peer, n) =>
          n === 1 ? peer.agents.delete(orgId, agent.id) : insertSample(peer, orgId, 'numbers', { agent_id: agent.id }),
        );
        for (const [n, result] of results.entries()) {
          if (n === 1) assert.equal(fulfilled(result), true);
          else if (result.status === 'rejected') {
            assert.ok(result.reason instanceof ReferenceViolation, String(result.reason));
          }
        }
      }
      const numbers = await context.storage.numbers.list(orgId, { limit: 1_000 });
      assert.deepStrictEqual(
        numbers.filter(({ agent_id }) => agent_id !== null),
        [],
      );
    },
  },
  {
    name: 'counts calls exactly when many end at once',
    async run(context) {
      const orgId = newId();
      const [campaign_id, agent_id] = [newId(), newId()];
      const calls: string[] = [];
      for (let n = 0; n < 24; n += 1) {
        const fields = { campaign_id, agent_id: n % 2 === 0 ? agent_id : null, status: 'in-progress' as const };
        calls.push((await insertSample(context.storage, orgId, 'calls', fields)).id);
      }
      const results = await atOnce(context, calls.length, (peer, n) =>
        peer.calls.update(orgId, calls[n] ?? '', { status: n % 3 === 0 ? 'failed' : 'ended', end_reason: null }),
      );
      for (const result of results) assert.notEqual(fulfilled(result), null);
      const count = (where: object): Promise<number> =>
        context.storage.calls.count(orgId, { where: { campaign_id, ...where } });
      const counts = [count({}), count({ status: 'failed' }), count({ agent_id }), count({ status: 'in-progress' })];
      assert.deepStrictEqual(await Promise.all(counts), [24, 8, 12, 0]);
    },
  },
];

/** Runs the work several times at once, distributed in turn over the storages. */
function atOnce<T>(
  { peers }: StorageTestContext,
  times: number,
  work: (peer: Storage, n: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const works = Array.from({ length: times }, async (_, n) => {
    const peer = peers[n % peers.length];
    assert.ok(peer !== undefined);
    return await work(peer, n);
  });
  return Promise.allSettled(works);
}

function fulfilled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
