import assert from 'node:assert/strict';
import { collectionSchemas } from '@va/core/adapter';
import { anyAcross, anyCollection, isPlural } from '../any-records.ts';
import { assertReferenceViolation, assertUniqueViolation, ids } from '../expect.ts';
import { insertSample, newId, sampleRecord, schemaOf, second } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of the writing verbs in one organization. */
export const writingTests: readonly StorageTest[] = [
  {
    name: 'locks a record that matches its expectation, without changing it',
    async run({ storage }) {
      const orgId = newId();
      const call = await insertSample(storage, orgId, 'calls', { status: 'in-progress' });
      const locked = await storage.transaction(async (tx) => [
        await tx.calls.lock(orgId, call.id),
        await tx.calls.lock(orgId, call.id, { status: 'in-progress' }),
        await tx.calls.lock(orgId, call.id, { status: 'ended' }),
        await tx.calls.lock(orgId, newId()),
      ]);
      assert.deepStrictEqual(locked, [call, call, null, null]);
      assert.deepStrictEqual(await storage.calls.get(orgId, call.id), call);
    },
  },
  {
    name: 'returns no record that was not inserted',
    async run({ storage }) {
      for (const { name } of collectionSchemas) {
        assert.equal(await anyCollection(storage, name).get(newId(), newId()), null, name);
      }
    },
  },
  {
    name: 'rejects an id that is taken in any organization, and keeps its record',
    async run({ storage }) {
      for (const schema of collectionSchemas.filter(isPlural)) {
        const collection = anyCollection(storage, schema.name);
        const orgId = newId();
        const first = await insertSample(storage, orgId, schema.name);
        const before = await collection.get(orgId, first.id);
        await assertUniqueViolation(insertSample(storage, orgId, schema.name, { id: first.id }), 'id', schema.name);
        await assertUniqueViolation(insertSample(storage, newId(), schema.name, { id: first.id }), 'id', schema.name);
        assert.deepStrictEqual(await collection.get(orgId, first.id), before, schema.name);
      }
    },
  },
  {
    name: 'replaces the fields of an update, and keeps the others',
    async run({ storage }) {
      for (const schema of collectionSchemas) {
        const collection = anyCollection(storage, schema.name);
        const orgId = newId();
        const record = await insertSample(storage, orgId, schema.name);
        const other = sampleRecord(schema, 1);
        const untouchable = ['id', 'created_at', ...schema.references.map(({ field }) => field)];
        const changeable = schema.fields.map(({ name }) => name).filter((name) => !untouchable.includes(name));
        const half = changeable.filter((_, index) => index % 2 === 0);
        const changes = Object.fromEntries(half.map((field) => [field, other[field]]));
        assert.deepStrictEqual(
          await collection.update(orgId, record.id, changes),
          { ...record, ...changes },
          schema.name,
        );
        assert.deepStrictEqual(await collection.get(orgId, record.id), { ...record, ...changes }, schema.name);
      }
    },
  },
  {
    name: 'clears nullable fields that an update sets to null',
    async run({ storage }) {
      for (const schema of collectionSchemas) {
        const orgId = newId();
        const record = await insertSample(storage, orgId, schema.name);
        const nullable = schema.fields.filter((field) => field.nullable).map(({ name }) => [name, null]);
        const changes = Object.fromEntries(nullable);
        const updated = await anyCollection(storage, schema.name).update(orgId, record.id, changes);
        assert.deepStrictEqual(updated, { ...record, ...changes }, schema.name);
      }
    },
  },
  {
    name: 'changes nothing with an update without fields',
    async run({ storage }) {
      const orgId = newId();
      const call = await insertSample(storage, orgId, 'calls', { status: 'queued' });
      assert.deepStrictEqual(await storage.calls.update(orgId, call.id, {}), call);
      assert.deepStrictEqual(await storage.calls.update(orgId, call.id, {}, { status: 'queued' }), call);
      assert.equal(await storage.calls.update(orgId, call.id, {}, { status: 'ended' }), null);
      assert.equal(await storage.calls.updateMany(orgId, { where: { id: call.id } }, {}), 1);
    },
  },
  {
    name: 'updates a record only if it matches its expectation',
    async run({ storage }) {
      const orgId = newId();
      const call = await insertSample(storage, orgId, 'calls', { status: 'connecting', agent_id: null });
      const refusing = [
        { status: 'queued' },
        { status: { in: [] } },
        { status: 'connecting', agent_id: newId() },
        { created_at: { lt: call.created_at } },
      ] as const;
      for (const expected of refusing) {
        assert.equal(await storage.calls.update(orgId, call.id, { summary: 'changed' }, expected), null);
      }
      assert.deepStrictEqual(await storage.calls.get(orgId, call.id), call);
      const expected = { status: { in: ['queued', 'connecting'] }, agent_id: null } as const;
      const updated = await storage.calls.update(orgId, call.id, { status: 'in-progress' }, expected);
      assert.deepStrictEqual(updated, { ...call, status: 'in-progress' });
      assert.equal(await storage.calls.update(orgId, newId(), { status: 'in-progress' }), null);
    },
  },
  {
    name: 'increments numbers, and keeps a null null',
    async run({ storage }) {
      const orgId = newId();
      const amounts = { duration_seconds: 5, cost: 0.25 };
      const log = await insertSample(storage, orgId, 'usageLogs', { duration_seconds: 10, cost: 1.5, minutes_used: 2 });
      const free = await insertSample(storage, orgId, 'usageLogs', { duration_seconds: 10, cost: null });
      assert.deepStrictEqual(await storage.usageLogs.increment(orgId, log.id, amounts), {
        ...log,
        duration_seconds: 15,
        cost: 1.75,
      });
      const less = await storage.usageLogs.increment(orgId, log.id, { duration_seconds: -16, minutes_used: -0.5 });
      assert.deepStrictEqual(less, { ...log, duration_seconds: -1, cost: 1.75, minutes_used: 1.5 });
      assert.deepStrictEqual(await storage.usageLogs.get(orgId, log.id), less);
      assert.deepStrictEqual(await storage.usageLogs.increment(orgId, free.id, amounts), {
        ...free,
        duration_seconds: 15,
      });
    },
  },
  {
    name: 'increments a record only if it matches its expectation',
    async run({ storage }) {
      const orgId = newId();
      const { id } = await insertSample(storage, orgId, 'organizations', {
        id: orgId,
        minutes_balance: 3,
        plan: 'paid',
      });
      const take = (expected: object): Promise<unknown> =>
        storage.organizations.increment(orgId, id, { minutes_balance: -2 }, expected);
      assert.equal(await take({ plan: 'free' }), null);
      assert.notEqual(await take({ minutes_balance: { gte: 2 } }), null);
      assert.equal(await take({ minutes_balance: { gte: 2 } }), null);
      assert.equal((await storage.organizations.get(orgId, id))?.minutes_balance, 1);
      assert.equal(await storage.organizations.increment(newId(), newId(), { minutes_balance: 1 }), null);
    },
  },
  {
    name: 'changes all matches of updateMany, and no others',
    async run({ storage }) {
      const orgId = newId();
      const agentId = newId();
      const [a, b, c] = [
        await insertSample(storage, orgId, 'calls', { agent_id: agentId }),
        await insertSample(storage, orgId, 'calls', { agent_id: agentId }),
        await insertSample(storage, orgId, 'calls', { agent_id: null }),
      ];
      const changed = await storage.calls.updateMany(orgId, { where: { agent_id: agentId } }, { agent_name: 'New' });
      assert.equal(changed, 2);
      assert.deepStrictEqual(await storage.calls.get(orgId, a.id), { ...a, agent_name: 'New' });
      assert.deepStrictEqual(await storage.calls.get(orgId, b.id), { ...b, agent_name: 'New' });
      assert.deepStrictEqual(await storage.calls.get(orgId, c.id), c);
      assert.equal(await storage.calls.updateMany(orgId, { where: { agent_id: newId() } }, { agent_name: 'X' }), 0);
    },
  },
  {
    name: 'deletes a record once, and only if it matches its expectation',
    async run({ storage }) {
      for (const { name } of collectionSchemas) {
        const collection = anyCollection(storage, name);
        const orgId = newId();
        const { id, created_at } = await insertSample(storage, orgId, name);
        assert.equal(await collection.delete(orgId, id, { created_at: { lt: created_at } }), false, name);
        assert.notEqual(await collection.get(orgId, id), null, name);
        assert.equal(await collection.delete(orgId, id, { created_at }), true, name);
        assert.equal(await collection.get(orgId, id), null, name);
        assert.equal(await collection.delete(orgId, id), false, name);
      }
    },
  },
  {
    name: 'inserts many, and returns their ids in the order of the list',
    async run({ storage }) {
      for (const schema of collectionSchemas.filter(isPlural)) {
        const collection = anyCollection(storage, schema.name);
        const orgId = newId();
        const parent = await insertSample(storage, orgId, schema.name);
        const parents = Object.fromEntries(schema.references.map(({ field }) => [field, Reflect.get(parent, field)]));
        const records = [3, 1, 2].map((n) => sampleRecord(schema, n, parents));
        assert.deepStrictEqual(await collection.insertMany(orgId, records), ids(records), schema.name);
        for (const record of records) {
          assert.deepStrictEqual(await collection.get(orgId, record.id), record, schema.name);
        }
        assert.deepStrictEqual(await collection.insertMany(orgId, []), [], schema.name);
      }
    },
  },
  {
    name: 'skips taken records in insertMany, also by earlier ones in the list',
    async run({ storage }) {
      const orgId = newId();
      const { id: campaignId } = await insertSample(storage, orgId, 'campaigns');
      const lead = (n: number, number: string | null): ReturnType<typeof sampleRecord> =>
        sampleRecord(schemaOf('leads'), n, { campaign_id: campaignId, unique_number: number });
      const stored = lead(0, '+31201');
      await anyCollection(storage, 'leads').insert(orgId, stored);
      const [fresh, taken, twice, free, freeToo] = [
        lead(1, '+31202'),
        lead(2, '+31201'),
        lead(3, '+31202'),
        lead(4, null),
        lead(5, null),
      ];
      const sameId = { ...lead(6, '+31203'), id: stored.id };
      const list = [taken, fresh, twice, free, sameId, freeToo];
      const inserted = await anyCollection(storage, 'leads').insertMany(orgId, list);
      assert.deepStrictEqual(inserted, ids([fresh, free, freeToo]));
      const kept = await anyCollection(storage, 'leads').list(orgId, { limit: 10 });
      assert.deepStrictEqual(kept, [stored, fresh, free, freeToo]);
    },
  },
  {
    name: 'skips taken records in a long insertMany, even all of it',
    async run({ storage }) {
      const orgId = newId();
      const { id: campaignId } = await insertSample(storage, orgId, 'campaigns');
      const list = Array.from({ length: 300 }, (_, n) =>
        sampleRecord(schemaOf('leads'), n, { campaign_id: campaignId, unique_number: `+3120${n % 200}`, name: null }),
      );
      const leads = anyCollection(storage, 'leads');
      assert.deepStrictEqual(await leads.insertMany(orgId, list), ids(list.slice(0, 200)));
      assert.deepStrictEqual(await leads.insertMany(orgId, list), []);
      const owned = list.map((record) => ({ orgId, record: { ...record, id: newId(), unique_number: null } }));
      const inserted = await anyAcross(storage, 'leads').insertMany(owned);
      assert.deepStrictEqual(inserted, ids(owned.map(({ record }) => record)));
      for (const record of [list[0], list[199], owned[299]?.record]) {
        assert.deepStrictEqual(await leads.get(orgId, String(record?.id)), record);
      }
    },
  },
  {
    name: 'stores each field of a long insertMany, whether or not it is equal in all records',
    async run({ storage }) {
      const orgId = newId();
      const { id: campaignId } = await insertSample(storage, orgId, 'campaigns');
      const leads = anyCollection(storage, 'leads');
      for (const differs of [false, true, false]) {
        const list = Array.from({ length: 150 }, (_, n) => {
          const phone_number = `+3120${newId()}`;
          const name = differs && n === 149 ? null : phone_number;
          const fields = { campaign_id: campaignId, phone_number, unique_number: phone_number, name };
          return sampleRecord(schemaOf('leads'), n, fields);
        });
        assert.deepStrictEqual(await leads.insertMany(orgId, list), ids(list));
        for (const record of [list[0], list[149]]) {
          assert.deepStrictEqual(await leads.get(orgId, String(record?.id)), record);
        }
      }
    },
  },
  {
    name: 'inserts none of many when one has an unknown reference',
    async run({ storage }) {
      const orgId = newId();
      const { id: campaignId } = await insertSample(storage, orgId, 'campaigns');
      const leads = [campaignId, newId(), campaignId].map((campaign_id, n) =>
        sampleRecord(schemaOf('leads'), n, { campaign_id }),
      );
      const inserting = anyCollection(storage, 'leads').insertMany(orgId, leads);
      await assertReferenceViolation(inserting, 'campaign_id', 'a lead without a campaign');
      assert.deepStrictEqual(await storage.leads.list(orgId, { limit: 10 }), []);
    },
  },
  {
    name: 'inserts ten thousand at once',
    async run({ storage }) {
      const orgId = newId();
      const schema = schemaOf('toolTemplates');
      const records = Array.from({ length: 10_000 }, (_, n) => sampleRecord(schema, n, { created_at: second(n) }));
      assert.deepStrictEqual(await anyCollection(storage, 'toolTemplates').insertMany(orgId, records), ids(records));
      const [newest] = await anyCollection(storage, 'toolTemplates').list(orgId, { limit: 1 });
      assert.deepStrictEqual(newest, records.at(-1));
    },
  },
];
