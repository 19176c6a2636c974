import assert from 'node:assert/strict';
import { collectionSchemas, JsonText, type LeadRecord, type Owned, type Storage } from '@va/core/adapter';
import { type AnyRecord, anyAcross, anyCollection, isPlural } from '../any-records.ts';
import { assertReferenceViolation, ids } from '../expect.ts';
import { insertParents, insertSample, newId, sampleRecord, schemaOf, second } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of the verbs that work on all organizations: for the service itself, never on behalf of a tenant. */
export const acrossTests: readonly StorageTest[] = [
  {
    name: 'inserts records of several organizations, each for its owner',
    async run({ storage }) {
      for (const schema of collectionSchemas.filter(isPlural)) {
        const owned: Owned<AnyRecord>[] = [];
        for (const [n, orgId] of [newId(), newId(), newId()].entries()) {
          const parents = await insertParents(storage, orgId, schema);
          owned.push({ orgId, record: sampleRecord(schema, n, parents) });
        }
        const across = anyAcross(storage, schema.name);
        assert.deepStrictEqual(await across.insertMany(owned), ids(owned.map(({ record }) => record)), schema.name);
        for (const { orgId, record } of owned) {
          const kept = await anyCollection(storage, schema.name).list(orgId, { where: { id: record.id }, limit: 9 });
          assert.deepStrictEqual(kept, [record], schema.name);
        }
        assert.deepStrictEqual(await across.insertMany([]), [], schema.name);
      }
    },
  },
  {
    name: 'skips taken records within their organization only',
    async run({ storage }) {
      const [one, other] = [newId(), newId()];
      const schema = schemaOf('webhookDeliveries');
      const stored = sampleRecord(schema, 0, { webhook_id: `msg ${one}` });
      await anyCollection(storage, 'webhookDeliveries').insert(one, stored);
      const again = (n: number): AnyRecord => sampleRecord(schema, n, { webhook_id: stored.webhook_id });
      const [taken, free, twice, fresh] = [again(1), again(2), again(3), sampleRecord(schema, 4)];
      const inserted = await anyAcross(storage, 'webhookDeliveries').insertMany([
        { orgId: one, record: taken },
        { orgId: other, record: free },
        { orgId: other, record: twice },
        { orgId: one, record: fresh },
      ]);
      assert.deepStrictEqual(inserted, ids([free, fresh]));
      assert.deepStrictEqual(await storage.webhookDeliveries.list(one, { limit: 9 }), [fresh, stored]);
      assert.deepStrictEqual(await storage.webhookDeliveries.list(other, { limit: 9 }), [free]);
    },
  },
  {
    name: 'accepts JSON as text, and stores it as any other',
    async run({ storage }) {
      const orgId = newId();
      const schema = schemaOf('webhookDeliveries');
      const [record, odd] = [sampleRecord(schema, 0), sampleRecord(schema, 1)];
      const payload = { z: [1, { quoted: '"a" \\ b' }], a: 'é ☎' };
      await anyAcross(storage, 'webhookDeliveries').insertMany([
        { orgId, record: { ...record, payload: new JsonText(JSON.stringify(payload)) } },
        { orgId, record: { ...odd, payload: new JsonText('{ "a": "x\\u0000y\\uD800" }') } },
      ]);
      const kept = await storage.webhookDeliveries.list(orgId, { limit: 9, order: 'oldest' });
      assert.deepStrictEqual(kept, [
        { ...record, payload },
        { ...odd, payload: { a: 'x\uFFFDy\uFFFD' } },
      ]);
    },
  },
  {
    name: 'inserts no record of several organizations when one has an unknown reference',
    async run({ storage }) {
      const [one, other] = [newId(), newId()];
      const { id: campaign_id } = await insertSample(storage, one, 'campaigns');
      // The referenced record exists in another organization.
      const owned = [one, other].map((orgId, n) => ({
        orgId,
        record: sampleRecord(schemaOf('leads'), n, { campaign_id }),
      }));
      await assertReferenceViolation(
        anyAcross(storage, 'leads').insertMany(owned),
        'campaign_id',
        'a foreign campaign',
      );
      assert.deepStrictEqual(await storage.leads.list(one, { limit: 9 }), []);
      assert.deepStrictEqual(await storage.leads.list(other, { limit: 9 }), []);
    },
  },
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
    name: 'lists records with the lowest value of a field first, and those without one last',
    async run({ storage }) {
      const [campaign_id, leads] = await insertLeads(storage, [2, 0, 3, 1]);
      const last = leads[2]?.record.id ?? '';
      await storage.leads.update(leads[2]?.orgId ?? '', last, { next_attempt_at: null });
      const found = await storage.across.leads.find({ where: { campaign_id } }, 9, 'next_attempt_at');
      const expected = [leads[1], leads[3], leads[0], leads[2]].map((lead) => lead?.record.id);
      assert.deepStrictEqual(
        found.map(({ record }) => record.id),
        expected,
      );
      const [first] = await storage.across.leads.find({ where: { campaign_id } }, 1, 'next_attempt_at');
      assert.equal(first?.record.id, expected[0]);
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
    name: 'claims the records that are due first, changes them, and returns them as changed',
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
    name: 'claims only records that match the filter, in any organization',
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

/** Inserts leads of one campaign that are due at the given seconds. */
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
