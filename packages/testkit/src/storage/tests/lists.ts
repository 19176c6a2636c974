import assert from 'node:assert/strict';
import {
  type Cursor,
  collectionSchemas,
  type ListQuery,
  type Storage,
  type ToolTemplateRecord,
} from '@va/core/adapter';
import fc from 'fast-check';
import { anyCollection, isPlural } from '../any-records.ts';
import { ids } from '../expect.ts';
import { insertSample, newId, second } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of the order and pages of lists. */
export const listTests: readonly StorageTest[] = [
  {
    name: 'lists in the order of the collection, and in reverse order on request',
    async run({ storage }) {
      for (const { name, order } of collectionSchemas.filter(isPlural)) {
        const collection = anyCollection(storage, name);
        const orgId = newId();
        const oldestFirst: string[] = [];
        for (const n of [2, 0, 3, 1]) {
          const { id } = await insertSample(storage, orgId, name, { created_at: second(n) }, n);
          oldestFirst[n] = id;
        }
        const newestFirst = [...oldestFirst].reverse();
        const inOrder = order === 'oldest' ? oldestFirst : newestFirst;
        assert.deepStrictEqual(ids(await collection.list(orgId, { limit: 10 })), inOrder, name);
        assert.deepStrictEqual(ids(await collection.list(orgId, { limit: 10, order: 'oldest' })), oldestFirst, name);
        assert.deepStrictEqual(ids(await collection.list(orgId, { limit: 10, order: 'newest' })), newestFirst, name);
      }
    },
  },
  {
    name: 'orders records of the same moment by their ids',
    async run({ storage }) {
      const orgId = newId();
      const tied = await insertTemplates(
        storage,
        orgId,
        Array.from({ length: 12 }, () => 0),
      );
      const sorted = ids(tied).sort();
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 20, order: 'oldest' })), sorted);
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 20 })), [...sorted].reverse());
      assert.deepStrictEqual(
        ids(await list(storage, orgId, { limit: 3, offset: 4, order: 'oldest' })),
        sorted.slice(4, 7),
      );
    },
  },
  {
    name: 'limits a list, and skips as many as the offset says',
    async run({ storage }) {
      const orgId = newId();
      const records = ids(await insertTemplates(storage, orgId, [4, 3, 2, 1, 0]));
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 2 })), records.slice(0, 2));
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 2, offset: 0 })), records.slice(0, 2));
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 2, offset: 1 })), records.slice(1, 3));
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 9, offset: 3 })), records.slice(3));
      assert.deepStrictEqual(await list(storage, orgId, { limit: 9, offset: 5 }), []);
      assert.deepStrictEqual(await list(storage, newId(), { limit: 9 }), []);
    },
  },
  {
    name: 'pages by cursor without duplicates or gaps, while others are inserted and deleted',
    async run({ storage, model }) {
      const order = fc.constantFrom('newest' as const, 'oldest' as const);
      const seconds = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 12 });
      const later = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(
          order,
          seconds,
          later,
          fc.integer({ min: 1, max: 4 }),
          async (direction, first, rest, limit) => {
            const orgId = newId();
            const staying = await insertTemplates(storage, orgId, first);
            const seen = await pageThrough(storage, orgId, { limit, order: direction }, async (cursor) => {
              const next = rest.pop();
              if (next === undefined || first.includes(next)) return;
              await insertTemplates(storage, orgId, [next]);
              const goes = staying.length > 1 ? staying.findIndex(({ id }) => id === cursor.id) : -1;
              if (goes >= 0) await storage.toolTemplates.delete(orgId, cursor.id);
            });
            assert.equal(new Set(seen).size, seen.length, 'a record was listed twice');
            const missed = ids(staying).filter((id) => !seen.includes(id));
            assert.deepStrictEqual(missed, [], 'a record that existed all the time was missing');
          },
        ),
        { seed: model.seed, numRuns: 20 },
      );
    },
  },
  {
    name: 'pages by cursor through records of the same moment',
    async run({ storage }) {
      for (const order of ['newest', 'oldest'] as const) {
        const orgId = newId();
        const sorted = ids(await insertTemplates(storage, orgId, [0, 0, 0, 0, 0, 0, 0])).sort();
        if (order === 'newest') sorted.reverse();
        assert.deepStrictEqual(await pageThrough(storage, orgId, { limit: 2, order }), sorted);
      }
    },
  },
  {
    name: 'continues after a cursor whose record was deleted, or never existed',
    async run({ storage }) {
      const orgId = newId();
      const [fourth, third, second_, first] = await insertTemplates(storage, orgId, [9, 6, 3, 0]);
      assert.ok(first && second_ && third && fourth);
      await storage.toolTemplates.delete(orgId, third.id);
      const gone = { created_at: third.created_at, id: third.id };
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 9, after: gone })), ids([second_, first]));
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 9, after: gone, order: 'oldest' })), [fourth.id]);
      const never = { created_at: second(1), id: newId() };
      assert.deepStrictEqual(ids(await list(storage, orgId, { limit: 9, after: never })), [first.id]);
      assert.deepStrictEqual(
        await list(storage, orgId, { limit: 9, after: { created_at: second(-1), id: newId() } }),
        [],
      );
    },
  },
  {
    name: 'pages by cursor through the matches of a filter',
    async run({ storage }) {
      const orgId = newId();
      const all = await insertTemplates(storage, orgId, [6, 5, 4, 3, 2, 1, 0]);
      const names = all.filter((_, index) => index % 2 === 0).map(({ name }) => name);
      const expected = ids(all.filter(({ name }) => names.includes(name)));
      assert.deepStrictEqual(await pageThrough(storage, orgId, { limit: 2, where: { name: { in: names } } }), expected);
      const anyOf = names.map((name) => ({ name }));
      assert.deepStrictEqual(await pageThrough(storage, orgId, { limit: 2, anyOf }), expected);
    },
  },
];

function list(storage: Storage, orgId: string, query: ListQuery<ToolTemplateRecord>): Promise<ToolTemplateRecord[]> {
  return storage.toolTemplates.list(orgId, query);
}

/** Inserts a template for each second, in the given order. */
async function insertTemplates(
  storage: Storage,
  orgId: string,
  seconds: readonly number[],
): Promise<ToolTemplateRecord[]> {
  const inserted: ToolTemplateRecord[] = [];
  for (const n of seconds) {
    inserted.push(await insertSample(storage, orgId, 'toolTemplates', { created_at: second(n) }));
  }
  return inserted;
}

/** Returns the ids of all pages. `between` runs after each page. */
async function pageThrough(
  storage: Storage,
  orgId: string,
  query: ListQuery<ToolTemplateRecord>,
  between: (cursor: Cursor) => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  let after: Cursor | undefined;
  for (;;) {
    const page = await list(storage, orgId, { ...query, ...(after === undefined ? {} : { after }) });
    const last = page.at(-1);
    if (last === undefined) return seen;
    seen.push(...ids(page));
    assert.ok(seen.length < 100, 'the pages do not end');
    after = { created_at: last.created_at, id: last.id };
    await between(after);
  }
}
