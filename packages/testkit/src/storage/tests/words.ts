import assert from 'node:assert/strict';
import type { CallRecord, Storage } from '@va/core/adapter';
import { ids } from '../expect.ts';
import { insertSample, newId, sampleRecord, schemaOf, second } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Number of calls; more than an adapter may compare one by one before it uses an index of words. */
const manyCalls = 2_100;
const page = 50;

/** Tests of searches by words. */
export const wordsTests: readonly StorageTest[] = [
  {
    name: 'filters by words of texts, the last one by its beginning',
    async run({ storage }) {
      const orgId = newId();
      const insert = async (...contents: readonly string[]): Promise<string> => {
        const messages = contents.map((content) => ({ role: 'user', content }) as const);
        return (await insertSample(storage, orgId, 'calls', { messages, status: 'ended' })).id;
      };
      const table = await insert('A table for two, please.', 'At eight o’clock; call me (06-1234).');
      const chair = await insert("Two chairs: it's for a user/assistant.", 'Table-top 3.5 and a@b.com');
      const none = await insert();
      await insertSample(storage, newId(), 'calls', {
        messages: [{ role: 'user', content: 'table' }],
        status: 'ended',
      });
      const long = await insert(Array.from({ length: 60_000 }, (_, n) => `word${n}`).join(' '));
      const cases: readonly [readonly [string, ...string[]], readonly string[]][] = [
        [['table'], [table, chair]],
        [['tab'], [table, chair]],
        [['tab', 'two'], []],
        [
          ['two', 'tab'],
          [table, chair],
        ],
        [['please', 'eight'], [table]],
        [['06', '1234'], [table]],
        [['3', '5'], [chair]],
        [['b', 'com'], [chair]],
        [['user'], [chair]],
        [['word1', 'word2'], [long]],
        [['nothing'], []],
      ];
      for (const [words, expected] of cases) {
        const where = { messages: { words } };
        const found = await storage.calls.list(orgId, { limit: 9, order: 'oldest', where });
        assert.deepStrictEqual(found.map(({ id }) => id).sort(), [...expected].sort(), words.join(' '));
        assert.equal(await storage.calls.count(orgId, { where }), expected.length);
        assert.equal(await storage.calls.count(orgId, { where }, 1), Math.min(1, expected.length));
        assert.equal(await storage.calls.count(orgId, { where: { ...where, id: none } }), 0);
      }
      await storage.calls.update(orgId, none, { messages: [{ role: 'assistant', content: 'Nothing left' }] });
      assert.equal(await storage.calls.count(orgId, { where: { messages: { words: ['nothing'] } } }), 1);
    },
  },
  {
    name: 'finds frequent and rare words among many records, newest first, by pages',
    async run({ storage }) {
      const orgId = newId();
      const calls = await insertMany(storage, orgId);
      const cases: readonly (readonly [readonly [string, ...string[]], (n: number) => boolean])[] = [
        [['everywhere'], () => true],
        [['e'], () => true],
        [['oldest'], (n) => n < 3],
        [['every', 'seventh'], () => false],
        [['seventh'], (n) => n % 7 === 0],
        [['seventh', 'e'], (n) => n % 7 === 0],
        [['oldest', 'e'], (n) => n < 3],
        [['oldest', 'x'], () => false],
        [['newest'], (n) => n >= manyCalls - 60],
      ];
      for (const [words, has] of cases) {
        const where = { messages: { words } };
        const expected = ids(calls.filter((_, n) => has(n))).reverse();
        for (const offset of [0, page, expected.length - 1]) {
          if (offset < 0) continue;
          const found = await storage.calls.list(orgId, { limit: page, offset, where });
          assert.deepStrictEqual(ids(found), expected.slice(offset, offset + page), `${words.join(' ')} ${offset}`);
        }
        assert.equal(await storage.calls.count(orgId, { where }, 1_000), Math.min(1_000, expected.length));
        assert.equal(await storage.calls.count(orgId, { where }), expected.length);
      }
    },
  },
  {
    name: 'combines words with other conditions, alternatives, orders and positions',
    async run({ storage }) {
      const orgId = newId();
      const calls = await insertMany(storage, orgId);
      const where = { messages: { words: ['seventh'] as const }, direction: 'outbound' } as const;
      const both = calls.filter((_, n) => n % 7 === 0 && n % 2 === 0);
      const [oldest] = both;
      assert.ok(oldest !== undefined);
      const first = await storage.calls.list(orgId, { limit: 3, order: 'oldest', where });
      assert.deepStrictEqual(ids(first), ids(both.slice(0, 3)));
      const next = await storage.calls.list(orgId, { limit: 3, order: 'oldest', after: oldest, where });
      assert.deepStrictEqual(ids(next), ids(both.slice(1, 4)));
      const last = await storage.calls.list(orgId, { limit: page, after: both[2] ?? oldest, where });
      assert.deepStrictEqual(ids(last), ids(both.slice(0, 2).reverse()));
      const anyOf = [{ caller_phone: '+1' }, { assistant_phone: '+2' }];
      const either = calls.filter((_, n) => n % 7 === 0 && n % 2 === 0 && (n % 50 === 0 || n % 60 === 0));
      for (const limit of [2, page]) {
        const found = await storage.calls.list(orgId, { limit, where, anyOf });
        assert.deepStrictEqual(ids(found), ids(either).reverse().slice(0, limit));
      }
      assert.equal(await storage.calls.count(orgId, { where, anyOf }, 4), 4);
      assert.equal(await storage.calls.count(orgId, { where, anyOf }, 1_000), either.length);
    },
  },
];

/** Stores calls, oldest first, whose words follow from their position. */
async function insertMany(storage: Storage, orgId: string): Promise<CallRecord[]> {
  const calls = Array.from({ length: manyCalls }, (_, n) => {
    const words = ['everywhere', ...(n % 7 === 0 ? ['seventh'] : []), ...(n < 3 ? ['oldest'] : [])];
    if (n >= manyCalls - 60) words.push('newest');
    return {
      ...sampleRecord(schemaOf('calls'), 0),
      id: newId(),
      created_at: second(n),
      direction: n % 2 === 0 ? 'outbound' : 'inbound',
      caller_phone: n % 50 === 0 ? '+1' : null,
      assistant_phone: n % 60 === 0 ? '+2' : null,
      messages: [{ role: 'user', content: words.join(' ') }],
    } as unknown as CallRecord;
  });
  await storage.calls.insertMany(orgId, calls);
  return calls;
}
