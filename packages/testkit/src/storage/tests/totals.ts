import assert from 'node:assert/strict';
import type { Call, CallStatus } from '@va/core';
import type { Filter, Storage } from '@va/core/adapter';
import { anyCollection } from '../any-records.ts';
import { insertSample, newId, sampleRecord, schemaOf } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of counts and sums. */
export const totalTests: readonly StorageTest[] = [
  {
    name: 'counts calls exactly through their lives, by status, day and end reason',
    async run({ storage }) {
      const orgId = newId();
      const campaign_id = newId();
      const count = (where: Filter<Call>['where'] = {}): Promise<number> =>
        storage.calls.count(orgId, { where: { campaign_id, ...where } });
      const insert = (status: CallStatus, created_at: string): Promise<Call> =>
        insertSample(storage, orgId, 'calls', { campaign_id, status, created_at, end_reason: null, agent_id: null });

      const live = await insert('in-progress', '2026-02-27T23:59:59.000Z');
      const over = await insert('ended', '2026-02-28T00:00:00.000Z');
      await insert('failed', '2026-03-01T12:00:00.000Z');
      assert.deepStrictEqual(
        await Promise.all([count(), count({ status: 'ended' }), count({ status: 'in-progress' })]),
        [3, 1, 1],
      );

      await storage.calls.update(orgId, live.id, { status: 'ended', end_reason: 'user_hangup' });
      assert.equal(await count({ status: { in: ['ended', 'failed'] } }), 3);
      assert.equal(await count({ status: 'in-progress' }), 0);
      assert.equal(await count({ end_reason: 'user_hangup' }), 1);
      assert.equal(await count({ end_reason: null }), 2);

      const agent_id = newId();
      await storage.calls.update(orgId, over.id, { agent_id, end_reason: 'user_hangup' });
      assert.equal(await count({ agent_id, end_reason: 'user_hangup', status: 'ended' }), 1);
      assert.equal(await count({ end_reason: 'user_hangup' }), 2);
      assert.equal(await count({ agent_id: null }), 2);

      assert.equal(await count({ created_at: { gte: '2026-02-28T00:00:00.000Z' } }), 2);
      assert.equal(await count({ created_at: { lt: '2026-02-28T00:00:00.000Z' } }), 1);
      assert.equal(await count({ created_at: { gte: '2026-02-27T23:59:59.000Z', lt: '2026-03-01T12:00:00.000Z' } }), 2);
      assert.equal(await count({ created_at: { gte: '2026-02-27T12:00:00.000Z', lt: '2026-04-02T00:00:00.000Z' } }), 3);
      assert.equal(await count({ created_at: { gte: '2026-02-28T00:00:00.000Z', lt: '2026-02-28T00:00:01.000Z' } }), 1);
      assert.equal(await count({ created_at: { gte: '2026-01-01T00:00:00.000Z', lt: '2027-01-01T00:00:00.000Z' } }), 3);
      assert.equal(await count({ created_at: { gte: '2026-03-01T12:00:00.001Z', lt: '2026-03-01T12:00:00.000Z' } }), 0);

      assert.equal(await storage.calls.updateMany(orgId, { where: { campaign_id } }, { end_reason: 'canceled' }), 3);
      assert.equal(await count({ end_reason: 'canceled' }), 3);
      assert.equal(await count({ end_reason: 'user_hangup' }), 0);
      await storage.calls.delete(orgId, over.id);
      assert.equal(await count(), 2);
      assert.equal(await count({ agent_id }), 0);
      assert.equal(await storage.across.calls.purge({ where: { campaign_id } }, 10), 2);
      assert.equal(await count(), 0);
    },
  },
  {
    name: 'counts calls in any time range, also across days and months',
    async run({ storage }) {
      const orgId = newId();
      const instants = [
        '1970-01-01T00:00:00.000Z',
        '2025-12-31T23:59:59.999Z',
        '2026-01-01T00:00:00.000Z',
        '2026-01-15T12:00:00.000Z',
        '2026-01-31T23:59:59.999Z',
        '2026-02-01T00:00:00.000Z',
        '2026-02-01T00:00:00.001Z',
        '2026-02-02T00:00:00.000Z',
        '2026-03-31T12:00:00.000Z',
        '2026-04-01T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ];
      const calls = instants.map((created_at, n) =>
        sampleRecord(schemaOf('calls'), n, { created_at, status: n % 3 === 0 ? 'queued' : 'ended' }),
      );
      await anyCollection(storage, 'calls').insertMany(orgId, calls);
      for (const gte of instants) {
        assert.equal(
          await countIn(storage, orgId, { gte }),
          instants.filter((each) => each >= gte).length,
          `from ${gte}`,
        );
        for (const lt of instants) {
          const expected = instants.filter((each) => each >= gte && each < lt).length;
          assert.equal(await countIn(storage, orgId, { gte, lt }), expected, `from ${gte} to ${lt}`);
        }
      }
    },
  },
  {
    name: 'sums big integers, fractions and nulls exactly',
    async run({ storage }) {
      const orgId = newId();
      const none = { duration_seconds: 0, minutes_used: 0, cost: 0 };
      const sum = (): Promise<typeof none> =>
        storage.usageLogs.sum(orgId, ['duration_seconds', 'minutes_used', 'cost']);
      assert.deepStrictEqual(await sum(), none);
      const log = { duration_seconds: 2 ** 52, minutes_used: 0.125, cost: null };
      await insertSample(storage, orgId, 'usageLogs', log);
      await insertSample(storage, orgId, 'usageLogs', { ...log, duration_seconds: 2 ** 52 - 1, cost: 1.75 });
      await insertSample(storage, orgId, 'usageLogs', { ...log, duration_seconds: 0, minutes_used: -2, cost: 0.5 });
      assert.deepStrictEqual(await sum(), { duration_seconds: 2 ** 53 - 1, minutes_used: -1.75, cost: 2.25 });
      const some = await storage.usageLogs.sum(orgId, ['cost', 'minutes_used']);
      assert.deepStrictEqual(some, { cost: 2.25, minutes_used: -1.75 });
    },
  },
  {
    name: 'sums the items of a JSON field in groups, over the records of the filter',
    async run({ storage }) {
      const orgId = newId();
      const agent_id = newId();
      const tokens = { provider: 'x', model: 'm', kind: 'input_tokens', unit: 'token', own_key: false } as const;
      const seconds = { provider: 'x', model: null, kind: 'tts_seconds', unit: 'second', own_key: false } as const;
      const own = { ...tokens, own_key: true };
      const item = <Item extends object>(group: Item, quantity: number, price: number | null) => ({
        ...group,
        quantity,
        price,
        is_estimate: false,
      });
      await insertSample(storage, orgId, 'usageLogs', {
        agent_id,
        cost_breakdown: [item(tokens, 10, 0.1), item(tokens, 5, 0.2), item(seconds, 1.5, null), item(own, 7, 0)],
      });
      await insertSample(storage, orgId, 'usageLogs', {
        agent_id,
        cost_breakdown: [item(tokens, 1, null), item(seconds, 0.25, null)],
      });
      await insertSample(storage, orgId, 'usageLogs', { agent_id, cost_breakdown: [] });
      await insertSample(storage, orgId, 'usageLogs', { agent_id: null, cost_breakdown: [item(seconds, 100, 50)] });
      await insertSample(storage, newId(), 'usageLogs', { agent_id, cost_breakdown: [item(tokens, 1_000, 1_000)] });
      const totals = (limit: number): Promise<object[]> =>
        storage.usageLogs.sumItems(orgId, {
          field: 'cost_breakdown',
          by: ['provider', 'model', 'kind', 'unit', 'own_key'],
          sums: ['price', 'quantity'],
          limit,
          where: { agent_id },
        });
      const sums = (await totals(10)).map((each) => ({ ...each, price: rounded(Reflect.get(each, 'price')) }));
      assert.deepStrictEqual(sums, [
        { ...tokens, price: 0.3, quantity: 16 },
        { ...own, price: 0, quantity: 7 },
        { ...seconds, price: null, quantity: 1.75 },
      ]);
      assert.equal((await totals(2)).length, 2);
      assert.deepStrictEqual(
        await storage.usageLogs.sumItems(newId(), { field: 'cost_breakdown', by: ['kind'], sums: ['price'], limit: 5 }),
        [],
      );
    },
  },
  {
    name: 'sums records in groups, those with the most records first, over the records of the filter',
    async run({ storage }) {
      const orgId = newId();
      const [agent_id, other] = [newId(), newId()];
      const log = { direction: 'inbound', duration_seconds: 10, cost: 0.25 } as const;
      await insertSample(storage, orgId, 'usageLogs', { ...log, agent_id });
      await insertSample(storage, orgId, 'usageLogs', { ...log, agent_id, duration_seconds: 2 ** 52 });
      await insertSample(storage, orgId, 'usageLogs', { ...log, agent_id, direction: 'web', cost: null });
      await insertSample(storage, orgId, 'usageLogs', { ...log, agent_id: other });
      await insertSample(storage, orgId, 'usageLogs', { ...log, agent_id: null, cost: null });
      await insertSample(storage, newId(), 'usageLogs', { ...log, agent_id });
      const sums = ['duration_seconds', 'cost'] as const;
      const where = { agent_id: { in: [agent_id, null] } };
      const groups = await storage.usageLogs.sumGroups(orgId, { by: ['agent_id'], sums, limit: 5, where });
      assert.deepStrictEqual(groups, [
        { agent_id, count: 3, duration_seconds: 2 ** 52 + 20, cost: 0.5 },
        { agent_id: null, count: 1, duration_seconds: 10, cost: 0 },
      ]);
      const by = ['agent_id', 'direction'] as const;
      assert.deepStrictEqual(await storage.usageLogs.sumGroups(orgId, { by, sums: [], limit: 1 }), [
        { agent_id, direction: 'inbound', count: 2 },
      ]);
      assert.deepStrictEqual(await storage.usageLogs.sumGroups(newId(), { by, sums, limit: 5 }), []);
    },
  },
  {
    name: 'sums statistics of calls over any range of times, after changes and deletions',
    async run({ storage }) {
      const orgId = newId();
      const agent_id = newId();
      const insert = async (created_at: string, changes: object): Promise<string> => {
        const day = created_at.slice(0, 'YYYY-MM-DD'.length);
        const fields = { created_at, day, agent_id: null, campaign_id: null, direction: 'inbound', end_reason: 'busy' };
        const record = { ...fields, answered: 1, turns: 2, cost: null, ...changes };
        return (await insertSample(storage, orgId, 'callStatistics', record)).id;
      };
      await insert('2026-01-30T23:59:59.999Z', { cost: 1 });
      const first = await insert('2026-01-31T00:00:00.000Z', { agent_id, cost: 2 });
      await insert('2026-01-31T12:00:00.000Z', { end_reason: 'user_hangup', turns: 3 });
      const gone = await insert('2026-02-01T12:00:00.000Z', { agent_id, cost: 50 });
      await insert('2026-02-02T06:00:00.000Z', { agent_id, cost: 0.5, direction: 'outbound' });
      await insertSample(storage, newId(), 'callStatistics', { created_at: '2026-01-31T12:00:00.000Z', agent_id });
      await storage.callStatistics.update(orgId, first, { cost: 4, answered: 0 });
      await storage.callStatistics.delete(orgId, gone);
      const sums = ['answered', 'turns', 'cost'] as const;
      const of = async (
        by: 'day' | 'agent_id' | 'end_reason',
        created_at: { readonly gte?: string; readonly lt?: string } | null,
        others: { readonly agent_id?: string; readonly answered?: number } = {},
      ) => {
        const where = { ...others, ...(created_at !== null && { created_at }) };
        const groups = await storage.callStatistics.sumGroups(orgId, { by: [by], sums, limit: 9, where });
        return groups
          .map((group) => [group[by], group.count, group.answered, group.turns, group.cost])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
      };
      const [january30, january31] = [
        ['2026-01-30', 1, 1, 2, 1],
        ['2026-01-31', 2, 1, 5, 4],
      ];
      const february2 = ['2026-02-02', 1, 1, 2, 0.5];
      assert.deepStrictEqual(await of('day', null), [january30, january31, february2]);
      assert.deepStrictEqual(await of('day', { gte: '2026-01-31T00:00:00.000Z', lt: '2026-02-02T00:00:00.000Z' }), [
        january31,
      ]);
      assert.deepStrictEqual(await of('day', { gte: '2026-01-30T23:59:59.999Z', lt: '2026-01-31T00:00:00.001Z' }), [
        january30,
        ['2026-01-31', 1, 0, 2, 4],
      ]);
      assert.deepStrictEqual(await of('day', { gte: '2026-01-31T00:00:00.001Z', lt: '2026-02-02T06:00:00.001Z' }), [
        ['2026-01-31', 1, 1, 3, 0],
        february2,
      ]);
      assert.deepStrictEqual(await of('agent_id', { lt: '2026-02-01T00:00:00.000Z' }), [
        [agent_id, 1, 0, 2, 4],
        [null, 2, 2, 5, 1],
      ]);
      assert.deepStrictEqual(await of('end_reason', { gte: '2026-01-31T00:00:00.000Z' }, { agent_id }), [
        ['busy', 2, 1, 4, 4.5],
      ]);
      assert.deepStrictEqual(await of('day', null, { answered: 0 }), [['2026-01-31', 1, 0, 2, 4]]);
    },
  },
];

/** Rounds a number, because adapters may differ in the last digits of sums of fractions. */
function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value;
}

function countIn(storage: Storage, orgId: string, created_at: { gte: string; lt?: string }): Promise<number> {
  return storage.calls.count(orgId, { where: { created_at } });
}
