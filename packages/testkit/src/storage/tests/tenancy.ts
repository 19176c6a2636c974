import assert from 'node:assert/strict';
import { type CollectionName, collectionSchemas, type Storage } from '@va/core/adapter';
import { type AnyCollection, type AnyRecord, anyCollection } from '../any-records.ts';
import { ids } from '../expect.ts';
import { insertSample, newId } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

interface Tenants {
  readonly collection: AnyCollection;
  readonly owner: string;
  /** Another organization. */
  readonly other: string;
  /** A record of the owner. */
  readonly record: AnyRecord;
  /** A record of the other organization, equal in all fields that are not unique. */
  readonly own: AnyRecord;
  readonly name: CollectionName;
}

/** Tests that no verb reads, changes or deletes records of another organization. */
export const tenancyTests: readonly StorageTest[] = [
  tenancyTest('gets no record of another organization', async ({ collection, other, record, name }) => {
    assert.equal(await collection.get(other, record.id), null, name);
  }),
  tenancyTest('locks no record of another organization', async ({ collection, other, record, name }) => {
    assert.equal(await collection.lock(other, record.id), null, name);
  }),
  tenancyTest('lists no record of another organization', async ({ collection, owner, other, record, own, name }) => {
    assert.deepStrictEqual(ids(await collection.list(other, { limit: 9 })), [own.id], name);
    assert.deepStrictEqual(ids(await collection.list(owner, { limit: 9 })), [record.id], name);
    assert.deepStrictEqual(await collection.list(other, { limit: 9, where: { id: record.id } }), [], name);
    const both = { anyOf: [{ id: record.id }, { id: own.id }] };
    assert.deepStrictEqual(ids(await collection.list(other, { limit: 9, ...both })), [own.id], name);
    const after = { created_at: '2999-01-01T00:00:00.000Z', id: newId() };
    assert.deepStrictEqual(ids(await collection.list(other, { limit: 9, order: 'newest', after })), [own.id], name);
  }),
  tenancyTest('counts no record of another organization', async ({ collection, other, record, own, name }) => {
    assert.equal(await collection.count(other), 1, name);
    assert.equal(await collection.count(other, { where: { id: record.id } }), 0, name);
    assert.equal(await collection.count(other, { anyOf: [{ id: record.id }, { id: own.id }] }), 1, name);
  }),
  {
    name: 'sums no record of another organization',
    async run({ storage }) {
      const [owner, other] = [newId(), newId()];
      await insertSample(storage, owner, 'usageLogs', { duration_seconds: 5 });
      await insertSample(storage, other, 'usageLogs', { duration_seconds: 7 });
      assert.deepStrictEqual(await storage.usageLogs.sum(owner, ['duration_seconds']), { duration_seconds: 5 });
    },
  },
  tenancyTest('updates no record of another organization', async ({ collection, owner, other, record, name }) => {
    assert.equal(await collection.update(other, record.id, anyChange(record)), null, name);
    assert.deepStrictEqual(await collection.get(owner, record.id), record, name);
  }),
  tenancyTest('changes no record of another organization with updateMany', async (tenants) => {
    const { collection, owner, other, record, name } = tenants;
    assert.equal(await collection.updateMany(other, {}, anyChange(record)), 1, name);
    assert.equal(await collection.updateMany(other, { where: { id: record.id } }, anyChange(record)), 0, name);
    assert.deepStrictEqual(await collection.get(owner, record.id), record, name);
  }),
  {
    name: 'increments no record of another organization',
    async run({ storage }) {
      const owner = newId();
      const log = await insertSample(storage, owner, 'usageLogs', { duration_seconds: 5 });
      assert.equal(await storage.usageLogs.increment(newId(), log.id, { duration_seconds: 1 }), null);
      assert.deepStrictEqual(await storage.usageLogs.get(owner, log.id), log);
    },
  },
  tenancyTest('deletes no record of another organization', async ({ collection, owner, other, record, name }) => {
    assert.equal(await collection.delete(other, record.id), false, name);
    assert.deepStrictEqual(await collection.get(owner, record.id), record, name);
  }),
];

function tenancyTest(name: string, check: (tenants: Tenants) => Promise<void>): StorageTest {
  return {
    name,
    async run({ storage }) {
      for (const schema of collectionSchemas) {
        const [owner, other] = [newId(), newId()];
        const collection = anyCollection(storage, schema.name);
        const record = await inserted(storage, owner, schema.name);
        const own = await inserted(storage, other, schema.name);
        await check({ collection, owner, other, record, own, name: schema.name });
      }
    },
  };
}

async function inserted(storage: Storage, orgId: string, name: CollectionName): Promise<AnyRecord> {
  const { id } = await insertSample(storage, orgId, name);
  const stored = await anyCollection(storage, name).get(orgId, id);
  assert.ok(stored !== null, `${name}: what was inserted is not there`);
  return stored;
}

/** Returns a change of a field without constraints. */
function anyChange(record: AnyRecord): Record<string, unknown> {
  const texts = ['name', 'summary', 'nonce', 'status', 'fingerprint', 'type', 'agent_name', 'reason', 'token_hash'];
  const field = [...texts, 'secret_id', 'day'].find((each) => each in record);
  assert.ok(field !== undefined);
  return { [field]: field === 'status' ? 'ended' : newId() };
}
