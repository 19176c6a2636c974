import assert from 'node:assert/strict';
import type { LeadRecord, Owned, Storage } from '@va/core';
import { insertSample, newId, second } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** The verbs that look in all organizations. */
export const acrossTests: readonly StorageTest[] = [
  {
    name: 'finds records of all organizations with their owners, the oldest first',
    async run({ storage }) {
      const agent_id = newId();
      const owned: Owned<unknown>[] = [];
      for (const n of [0, 1, 2]) {
        const orgId = newId();
        owned.push({ orgId, record: await insertSample(storage, orgId, 'calls', { agent_id, created_at: second(n) }) });
      }
      await insertSample(storage, newId(), 'calls', { created_at: second(0) });
      assert.deepStrictEqual(await storage.across.calls.find({ where: { agent_id } }, 9), owned);
      assert.deepStrictEqual(await storage.across.calls.find({ where: { agent_id } }, 2), owned.slice(0, 2));
      assert.deepStrictEqual(await storage.across.calls.find({ where: { agent_id: newId() } }, 9), []);
    },
  },
  {
    name: 'finds an organization as its own owner',
    async run({ storage }) {
      const orgId = newId();
      const organization = await insertSample(storage, orgId, 'organizations');
      const found = await storage.across.organizations.find({ where: { name: organization.name } }, 9);
      assert.deepStrictEqual(found, [{ orgId, record: organization }]);
    },
  },
  {
    name: 'claims the records that are due first, changes them, and returns them as they then are',
    async run({ storage }) {
      const [campaign_id, due] = await insertLeads(storage, [30, 10, null, 20, 10]);
      const claim = (limit: number): Promise<Owned<LeadRecord>[]> =>
        storage.across.leads.claim({
          filter: { where: { campaign_id, status: 'pending' } },
          changes: { status: 'calling', last_attempt_at: second(99) },
          limit,
          orderBy: 'next_attempt_at',
        });
      const expected = [due[1], due[4], due[3], due[0], due[2]].map((each) => ({
        orgId: each?.orgId,
        record: { ...each?.record, status: 'calling', last_attempt_at: second(99) },
      }));
      assert.deepStrictEqual(await claim(2), expected.slice(0, 2));
      assert.deepStrictEqual(await claim(9), expected.slice(2));
      assert.deepStrictEqual(await claim(9), []);
      for (const { orgId, record } of expected) {
        assert.deepStrictEqual(await storage.leads.get(String(orgId), String(record.id)), record);
      }
    },
  },
  {
    name: 'claims only what the filter finds, in any organization',
    async run({ storage }) {
      const agent_id = newId();
      const [live, over] = [newId(), newId()];
      const call = await insertSample(storage, live, 'calls', { agent_id, status: 'in-progress' });
      const ended = await insertSample(storage, over, 'calls', { agent_id, status: 'ended' });
      const claimed = await storage.across.calls.claim({
        filter: { where: { agent_id }, anyOf: [{ status: 'queued' }, { status: 'in-progress' }] },
        changes: { status: 'failed' },
        limit: 9,
      });
      assert.deepStrictEqual(claimed, [{ orgId: live, record: { ...call, status: 'failed' } }]);
      assert.deepStrictEqual(await storage.calls.get(over, ended.id), ended);
    },
  },
  {
    name: 'purges the oldest up to a limit, in any organization',
    async run({ storage }) {
      const agent_id = newId();
      const calls: [string, string][] = [];
      for (const n of [3, 1, 0, 2]) {
        const orgId = newId();
        const { id } = await insertSample(storage, orgId, 'calls', { agent_id, created_at: second(n) });
        calls[n] = [orgId, id];
      }
      const left = async (): Promise<boolean[]> =>
        await Promise.all(calls.map(async ([orgId, id]) => (await storage.calls.get(orgId, id)) !== null));
      const filter = { where: { agent_id, created_at: { lt: second(3) } } };
      assert.equal(await storage.across.calls.purge(filter, 2), 2);
      assert.deepStrictEqual(await left(), [false, false, true, true]);
      assert.equal(await storage.across.calls.purge(filter, 2), 1);
      assert.equal(await storage.across.calls.purge(filter, 2), 0);
      assert.deepStrictEqual(await left(), [false, false, false, true]);
    },
  },
];

/** Leads of one campaign, due at these seconds. */
export async function insertLeads(
  storage: Storage,
  due: readonly (number | null)[],
): Promise<[campaignId: string, leads: Owned<LeadRecord>[]]> {
  const orgId = newId();
  const { id: campaign_id } = await insertSample(storage, orgId, 'campaigns');
  const leads: Owned<LeadRecord>[] = [];
  for (const [index, seconds] of due.entries()) {
    const next_attempt_at = seconds === null ? null : second(seconds);
    const lead = { campaign_id, status: 'pending' as const, next_attempt_at, created_at: second(index) };
    leads.push({ orgId, record: await insertSample(storage, orgId, 'leads', lead) });
  }
  return [campaign_id, leads];
}
