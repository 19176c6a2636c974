import assert from 'node:assert/strict';
import { type CollectionSchema, collectionSchemas, type Storage, type UniqueSchema } from '@va/core/adapter';
import { type AnyCollection, type AnyRecord, anyCollection, isPlural } from '../any-records.ts';
import { assertReferenceViolation, assertUniqueViolation } from '../expect.ts';
import { insertParents, insertSample, newId, sampleRecord, schemaOf } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of unique constraints and references. */
export const constraintTests: readonly StorageTest[] = [
  {
    name: 'enforces every unique constraint within an organization, and names it',
    run: ({ storage }) =>
      forEachConstraint(storage, async ({ schema, collection, orgId, first, like, constraint, say }) => {
        // If an organization can have only one record, a second one violates that constraint first.
        if (!isPlural(schema) && constraint.fields.length > 0) return;
        const refused = await like(orgId);
        await assertUniqueViolation(collection.insert(orgId, refused), constraint.name, say);
        assert.equal(await collection.get(orgId, refused.id), null, `${say}: stores nothing of a rejected record`);
        await collection.delete(orgId, first.id);
        const next = await like(orgId);
        await collection.insert(orgId, next);
        assert.deepStrictEqual(await collection.get(orgId, next.id), next, `${say}: free again`);
      }),
  },
  {
    name: 'enforces a constraint of the deployment across organizations',
    run: ({ storage }) =>
      forEachConstraint(storage, async ({ collection, like, constraint, say }) => {
        if (constraint.scope !== 'deployment') return;
        await assertUniqueViolation(collection.insert(...(await owned(like))), constraint.name, say);
      }),
  },
  {
    name: 'enforces a constraint of an organization in that one only',
    run: ({ storage }) =>
      forEachConstraint(storage, async ({ collection, like, constraint, say }) => {
        if (constraint.scope !== 'organization') return;
        const [orgId, record] = await owned(like);
        await collection.insert(orgId, record);
        assert.notEqual(await collection.get(orgId, record.id), null, say);
      }),
  },
  {
    name: 'treats nulls as distinct in a unique constraint',
    async run({ storage }) {
      const orgId = newId();
      const { id: campaign_id } = await insertSample(storage, orgId, 'campaigns');
      for (const n of [0, 1, 2]) {
        await insertSample(storage, orgId, 'leads', { campaign_id, unique_number: null }, n);
      }
      assert.equal((await storage.leads.list(orgId, { limit: 9, where: { campaign_id } })).length, 3);
    },
  },
  {
    name: 'rejects an update that violates a unique constraint, and changes nothing',
    async run({ storage }) {
      const orgId = newId();
      const [one, other] = [
        await insertSample(storage, orgId, 'numbers'),
        await insertSample(storage, orgId, 'numbers'),
      ];
      const changes = { name: 'changed', number: one.number };
      await assertUniqueViolation(storage.numbers.update(orgId, other.id, changes), 'number', 'update');
      await assertUniqueViolation(storage.numbers.updateMany(orgId, {}, changes), 'number', 'updateMany');
      assert.deepStrictEqual(await storage.numbers.get(orgId, one.id), one);
      assert.deepStrictEqual(await storage.numbers.get(orgId, other.id), other);
      const same = await storage.numbers.update(orgId, one.id, { number: one.number });
      assert.deepStrictEqual(same, one, 'a record does not conflict with itself');
    },
  },
  {
    name: 'rejects a record with an unknown reference',
    run: ({ storage }) =>
      forEachReference(storage, async (schema, field) => {
        const orgId = newId();
        const collection = anyCollection(storage, schema.name);
        const parents = await insertParents(storage, orgId, schema);
        const record = { ...sampleRecord(schema, 0), ...parents, [field]: newId() };
        await assertReferenceViolation(collection.insert(orgId, record), field, schema.name);
        assert.equal(await collection.get(orgId, record.id), null, schema.name);
        const stored = await insertSample(storage, orgId, schema.name);
        await assertReferenceViolation(collection.update(orgId, stored.id, { [field]: newId() }), field, schema.name);
        assert.deepStrictEqual(await collection.get(orgId, stored.id), stored, schema.name);
      }),
  },
  {
    name: 'rejects a record that refers to a record of another organization',
    run: ({ storage }) =>
      forEachReference(storage, async (schema, field, to) => {
        const orgId = newId();
        const foreign = await insertSample(storage, newId(), to);
        const parents = await insertParents(storage, orgId, schema);
        const record = { ...sampleRecord(schema, 0), ...parents, [field]: foreign.id };
        const inserting = anyCollection(storage, schema.name).insert(orgId, record);
        await assertReferenceViolation(inserting, field, schema.name);
      }),
  },
  {
    name: 'stores a record with a valid reference',
    run: ({ storage }) =>
      forEachReference(storage, async (schema, field, to) => {
        const orgId = newId();
        const parent = await insertSample(storage, orgId, to);
        const record = await insertSample(storage, orgId, schema.name, { [field]: parent.id });
        assert.deepStrictEqual(await anyCollection(storage, schema.name).get(orgId, record.id), record, schema.name);
      }),
  },
  {
    name: 'sets references to null when the referenced record is deleted',
    run: ({ storage }) =>
      forEachReference(storage, async (schema, field, to, onDelete) => {
        if (onDelete !== 'null') return;
        const orgId = newId();
        const parent = await insertSample(storage, orgId, to);
        const record = await insertSample(storage, orgId, schema.name, { [field]: parent.id });
        await anyCollection(storage, to).delete(orgId, parent.id);
        const after = await anyCollection(storage, schema.name).get(orgId, record.id);
        assert.deepStrictEqual(after, { ...record, [field]: null }, schema.name);
      }),
  },
  {
    name: 'deletes records that require the deleted one, and no others',
    run: ({ storage }) =>
      forEachReference(storage, async (schema, field, to, onDelete) => {
        if (onDelete !== 'cascade') return;
        const orgId = newId();
        const [parent, other] = [await insertSample(storage, orgId, to), await insertSample(storage, orgId, to)];
        const collection = anyCollection(storage, schema.name);
        const going = await insertSample(storage, orgId, schema.name, { [field]: parent.id });
        const staying = await insertSample(storage, orgId, schema.name, { [field]: other.id });
        await anyCollection(storage, to).delete(orgId, parent.id);
        assert.equal(await collection.get(orgId, going.id), null, schema.name);
        assert.deepStrictEqual(await collection.get(orgId, staying.id), staying, schema.name);
      }),
  },
  {
    name: 'applies reference rules when records are purged, too',
    async run({ storage }) {
      const orgId = newId();
      const campaign = await insertSample(storage, orgId, 'campaigns');
      const lead = await insertSample(storage, orgId, 'leads', { campaign_id: campaign.id });
      assert.equal(await storage.across.campaigns.purge({ where: { id: campaign.id } }, 10), 1);
      assert.equal(await storage.leads.get(orgId, lead.id), null);
    },
  },
  {
    name: 'rejects a record of an organization that is not its own',
    async run({ storage }) {
      const schema = schemaOf('organizations');
      await assert.rejects(anyCollection(storage, 'organizations').insert(newId(), sampleRecord(schema, 0)));
    },
  },
];

interface Constrained {
  readonly schema: CollectionSchema;
  readonly collection: AnyCollection;
  readonly constraint: UniqueSchema;
  readonly orgId: string;
  /** Record of the organization, to compare with. */
  readonly first: AnyRecord;
  /** Creates another record with equal values in the constraint's fields, for any organization. */
  readonly like: (orgId: string) => Promise<AnyRecord>;
  readonly say: string;
}

async function forEachConstraint(storage: Storage, check: (constrained: Constrained) => Promise<void>): Promise<void> {
  for (const schema of collectionSchemas) {
    for (const constraint of schema.unique) {
      const orgId = newId();
      const first = await insertSample(storage, orgId, schema.name);
      const stored = await anyCollection(storage, schema.name).get(orgId, first.id);
      assert.ok(stored !== null, `${schema.name}: what was inserted is not there`);
      const same = Object.fromEntries(constraint.fields.map((field) => [field, stored[field]]));
      // A record of another organization can have the same values, but not the same records to refer to.
      const like = async (owner: string): Promise<AnyRecord> => ({
        ...sampleRecord(schema, 1),
        ...(owner === orgId ? referencesOf(schema, stored) : await insertParents(storage, owner, schema)),
        ...withoutReferences(schema, same),
      });
      const say = `${schema.name}.${constraint.name}`;
      const collection = anyCollection(storage, schema.name);
      await check({ schema, collection, orgId, first: stored, like, constraint, say });
    }
  }
}

async function owned(like: (orgId: string) => Promise<AnyRecord>): Promise<[string, AnyRecord]> {
  const orgId = newId();
  return [orgId, await like(orgId)];
}

function referencesOf(schema: CollectionSchema, record: AnyRecord): Record<string, unknown> {
  return Object.fromEntries(schema.references.map(({ field }) => [field, record[field]]));
}

function withoutReferences(schema: CollectionSchema, values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(values).filter(([name]) => !schema.references.some(({ field }) => field === name));
  return Object.fromEntries(entries);
}

async function forEachReference(
  storage: Storage,
  check: (
    schema: CollectionSchema,
    field: string,
    to: CollectionSchema['name'],
    onDelete: 'null' | 'cascade',
  ) => Promise<void>,
): Promise<void> {
  assert.ok(storage);
  for (const schema of collectionSchemas.filter(isPlural)) {
    for (const { field, to, onDelete } of schema.references) await check(schema, field, to, onDelete);
  }
}
