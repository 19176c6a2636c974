import assert from 'node:assert/strict';
import { type CollectionSchema, collectionSchemas, type Storage } from '@va/core/adapter';
import { type AnyRecord, anyAcross, anyCollection, isPlural } from '../any-records.ts';
import { ids } from '../expect.ts';
import { alternativeCases, type FilterCase, filterCases, insertDiffering } from '../filter-cases.ts';
import { insertSample, newId, schemaOf } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of filters, for each verb. */
export const filterTests: readonly StorageTest[] = [
  forAllCollections('lists exactly the matches of a filter, by every field', filterCases, lists),
  forAllCollections('lists exactly the matches of several alternatives, each record once', alternativeCases, lists),
  forAllCollections('counts exactly the matches of a filter, by every field', filterCases, counts),
  forAllCollections('counts exactly the matches of several alternatives, each record once', alternativeCases, counts),
  {
    name: 'changes exactly the matches of a filter with updateMany',
    run: ({ storage }) =>
      forCalls(storage, async (orgId, { filter, finds }, calls) => {
        const mark = newId();
        assert.equal(await storage.calls.updateMany(orgId, filter, { summary: mark }), finds.length, say('', filter));
        const marked = await anyCollection(storage, 'calls').list(orgId, { limit: 9, order: 'oldest' });
        const expected = calls.filter(({ id }) => ids(finds).includes(id));
        assert.deepStrictEqual(ids(marked.filter(({ summary }) => summary === mark)), ids(expected), say('', filter));
      }),
  },
  {
    name: 'sums exactly the matches of a filter',
    run: ({ storage }) =>
      forCalls(storage, async (orgId, { filter, finds }) => {
        const expected = finds.reduce((sum, { duration_seconds }) => sum + Number(duration_seconds ?? 0), 0);
        const sums = await storage.calls.sum(orgId, ['duration_seconds'], filter);
        assert.deepStrictEqual(sums, { duration_seconds: expected }, say('calls', filter));
      }),
  },
  {
    name: 'finds exactly the matches of a filter across organizations',
    run: ({ storage }) =>
      forCalls(storage, async (_, { filter, finds }) => {
        const found = await anyAcross(storage, 'calls').find(filter, 9);
        assert.deepStrictEqual(ids(found.map(({ record }) => record)), ids(finds), say('calls', filter));
      }),
  },
  {
    name: 'filters by texts with any characters',
    async run({ storage }) {
      const orgId = newId();
      const texts = ['NULL', 'null', '{}', '{a,b}', '"', "'", '\\', 'a,b', ' ', '', '%', '_', '😀', 'é', 'E', 'e'];
      for (const text of texts) await insertSample(storage, orgId, 'calls', { caller_phone: text });
      for (const text of texts) {
        const [one, ...rest] = await storage.calls.list(orgId, { limit: 9, where: { caller_phone: text } });
        assert.equal(one?.caller_phone, text);
        assert.deepStrictEqual(rest, [], `more than one is ${text}`);
        assert.equal(
          (await storage.calls.list(orgId, { limit: 9, where: { caller_phone: { in: [text, 'none'] } } })).length,
          1,
        );
      }
      assert.equal((await storage.calls.list(orgId, { limit: 99, where: { caller_phone: { in: texts } } })).length, 16);
    },
  },
  {
    name: 'filters by a text with U+0000 or a lone surrogate as it was stored',
    async run({ storage }) {
      const orgId = newId();
      const [odd, half] = ['odd\0', 'half \uD83D'];
      const stored = await storage.calls.list(orgId, { limit: 9, where: { caller_phone: { in: [odd, half] } } });
      assert.deepStrictEqual(stored, []);
      await insertSample(storage, orgId, 'calls', { caller_phone: 'odd\uFFFD' });
      await insertSample(storage, orgId, 'calls', { caller_phone: 'half \uFFFD' });
      assert.equal((await storage.calls.list(orgId, { limit: 9, where: { caller_phone: odd } })).length, 1);
      assert.equal(
        (await storage.calls.list(orgId, { limit: 9, where: { caller_phone: { in: [odd, half] } } })).length,
        2,
      );
    },
  },
  {
    name: 'rejects a condition that is undefined or on an unknown field, and changes nothing',
    async run({ storage }) {
      const orgId = newId();
      const call = await insertSample(storage, orgId, 'calls');
      const collection = anyCollection(storage, 'calls');
      const across = anyAcross(storage, 'calls');
      for (const where of [{ agent_id: undefined }, { nonsense: 1 }, { '1=1) --': 1 }, { metadata: { a: 1 } }]) {
        const uses: Record<string, () => Promise<unknown>> = {
          list: () => collection.list(orgId, { limit: 1, where }),
          alternatives: () => collection.list(orgId, { limit: 1, anyOf: [where, { id: call.id }] }),
          count: () => collection.count(orgId, { where }),
          sum: () => collection.sum(orgId, ['cost'], { where }),
          update: () => collection.update(orgId, call.id, { summary: 'changed' }, where),
          updateMany: () => collection.updateMany(orgId, { where }, { summary: 'changed' }),
          increment: () => collection.increment(orgId, call.id, { cost: 1 }, where),
          delete: () => collection.delete(orgId, call.id, where),
          find: () => across.find({ where }, 1),
          claim: () => across.claim({ filter: { where }, changes: { summary: 'changed' }, limit: 1 }),
          purge: () => across.purge({ where }, 1),
        };
        for (const [verb, use] of Object.entries(uses)) {
          await assert.rejects(async () => await use(), TypeError, `${verb} where ${Object.keys(where)}`);
        }
      }
      assert.deepStrictEqual(await storage.calls.get(orgId, call.id), call);
    },
  },
];

type FilterCheck = (storage: Storage, schema: CollectionSchema, orgId: string, one: FilterCase) => Promise<void>;

function forAllCollections(name: string, casesOf: typeof filterCases, check: FilterCheck): StorageTest {
  return {
    name,
    async run({ storage }) {
      for (const schema of collectionSchemas.filter(isPlural)) {
        const [orgId, records] = await insertDiffering(storage, schema);
        for (const one of casesOf(schema, records)) await check(storage, schema, orgId, one);
      }
    },
  };
}

async function lists(storage: Storage, schema: CollectionSchema, orgId: string, one: FilterCase): Promise<void> {
  const query = { ...one.filter, limit: 9, order: 'oldest' as const };
  const found = await anyCollection(storage, schema.name).list(orgId, query);
  assert.deepStrictEqual(ids(found), ids(one.finds), say(schema.name, one.filter));
}

async function counts(storage: Storage, schema: CollectionSchema, orgId: string, one: FilterCase): Promise<void> {
  const counted = await anyCollection(storage, schema.name).count(orgId, one.filter);
  assert.equal(counted, one.finds.length, say(schema.name, one.filter));
}

async function forCalls(
  storage: Storage,
  check: (orgId: string, one: FilterCase, calls: readonly AnyRecord[]) => Promise<void>,
): Promise<void> {
  const schema = schemaOf('calls');
  const [orgId, calls] = await insertDiffering(storage, schema);
  const cases = [...filterCases(schema, calls), ...alternativeCases(schema, calls)];
  for (const one of cases) if (!('summary' in (one.filter.where ?? {}))) await check(orgId, one, calls);
}

function say(collection: string, filter: unknown): string {
  return `${collection} where ${JSON.stringify(filter)}`;
}
