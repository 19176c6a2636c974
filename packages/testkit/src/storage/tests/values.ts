import assert from 'node:assert/strict';
import type { Agent } from '@va/core';
import { collectionSchemas, type FieldKind, type FieldSchema, type Storage } from '@va/core/adapter';
import fc from 'fast-check';
import { anyCollection } from '../any-records.ts';
import { insertParents, insertSample, newId, sampleRecord, second } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of stored values. */
export const valueTests: readonly StorageTest[] = [
  {
    name: 'returns every record of every collection as it was stored',
    async run({ storage, model }) {
      for (const schema of collectionSchemas) {
        const fields = schema.fields.filter(({ name }) => !['id', 'created_at'].includes(name));
        const plain = fields.filter(({ name }) => !schema.references.some(({ field }) => field === name));
        const changes = fc.record(Object.fromEntries(plain.map((field) => [field.name, plainValues(field)])));
        await fc.assert(
          fc.asyncProperty(changes, async (values) => {
            const orgId = newId();
            const sample = sampleRecord(schema, 0, schema.ownsItself ? { id: orgId } : {});
            const unlike = Object.fromEntries(
              schema.unique.flatMap((constraint) => constraint.fields.map((field) => [field, sample[field]])),
            );
            const record = { ...sample, ...values, ...unlike, ...(await insertParents(storage, orgId, schema)) };
            if (schema.name === 'calls') Object.assign(record, { status: sample.status });
            await anyCollection(storage, schema.name).insert(orgId, record);
            const stored = await anyCollection(storage, schema.name).get(orgId, record.id);
            assert.deepStrictEqual(stored, record, schema.name);
          }),
          { seed: model.seed, numRuns: 10 },
        );
      }
    },
  },
  keepsTexts('keeps any Unicode text', [
    'Ünïcödé, 你好, שלום, 👩‍👩‍👧 and 🏳️‍🌈',
    'e\u0301 is not é',
    '\u{10FFFF}\u{1F600}\uFFFF\uFEFF\u2028\u2029\u0001\u007F\t\r\n',
    '',
    ' leading and trailing ',
    `it's "quoted" \\ back\\slashed \\u0000 \\x00 $1 %s {} [] NULL null`,
  ]),
  {
    name: 'stores a text with U+0000 with U+FFFD instead',
    run: ({ storage }) => keepsReplaced(storage, 'before\0after', 'before\uFFFDafter'),
  },
  {
    name: 'stores a text with a lone surrogate with U+FFFD instead',
    run: ({ storage }) => keepsReplaced(storage, 'high \uD83D low \uDE00 pair 😀', 'high \uFFFD low \uFFFD pair 😀'),
  },
  keepsTexts('keeps a text of a megabyte', ['0123456789abcdef'.repeat(65_536)]),
  keepsJson('keeps JSON of a megabyte', {
    text: 'x'.repeat(600_000),
    list: Array.from({ length: 60_000 }, (_, n) => n),
  }),
  keepsJson('keeps deeply nested JSON', nested(500)),
  keepsJson('keeps JSON of every kind', {
    list: [],
    object: {},
    null: null,
    yes: true,
    no: false,
    text: '',
    numbers: [0, -1, 0.1, 1e308, 5e-324, 2 ** 53 - 1],
    mixed: [{}, [], [[null]], { a: { b: [{ c: null }] } }],
    'a key with "quotes" and \\': 1,
    '': 'an empty key',
    ...JSON.parse('{"__proto__": {"polluted": true}}'),
  }),
  {
    name: 'keeps the order of JSON keys',
    async run({ storage }) {
      const orgId = newId();
      const metadata = { zebra: 1, apple: { z: 1, y: 2, a: { second: 2, first: 1 } }, bee: [{ b: 1, a: 2 }], aa: 1 };
      const { id } = await insertSample(storage, orgId, 'agents', { metadata });
      const stored = await storage.agents.get(orgId, id);
      assert.equal(JSON.stringify(stored?.metadata), JSON.stringify(metadata));
    },
  },
  keepsNumbers('keeps integers up to 2^53 - 1', 'integer', [2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 31, -(2 ** 31) - 1, 0]),
  keepsNumbers('keeps doubles exactly', 'number', [
    0.1,
    1 / 3,
    -2 / 3,
    Math.PI,
    1e21,
    123_456_789.123_456_79,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    2 ** 53 - 1,
  ]),
  keepsInstants('keeps the milliseconds of a timestamp', [
    '2026-01-10T12:00:00.001Z',
    '2026-01-10T12:00:00.010Z',
    '2026-01-10T12:00:00.100Z',
    '2026-01-10T12:00:00.999Z',
    '2026-01-10T23:59:59.999Z',
  ]),
  keepsInstants('keeps instants in summer, and at changes of daylight saving time', [
    '2026-07-01T12:00:00.000Z',
    '2026-03-29T00:59:59.000Z',
    '2026-03-29T01:00:00.000Z',
    '2026-03-29T01:30:00.000Z',
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
    '2026-03-08T10:00:00.000Z',
    '2026-11-01T09:30:00.000Z',
  ]),
  keepsInstants('keeps instants from 1970 to 9999', [
    '1970-01-01T00:00:00.000Z',
    '1999-12-31T23:59:59.000Z',
    '2000-02-29T00:00:00.000Z',
    '2038-01-19T03:14:08.000Z',
    '9999-12-31T23:59:59.000Z',
  ]),
  {
    name: 'shares no object with the inserter or a reader of a record',
    async run({ storage }) {
      const orgId = newId();
      const metadata = { list: [1] };
      const { id } = await insertSample(storage, orgId, 'agents', { metadata });
      metadata.list.push(2);
      const readers: Record<string, () => Promise<unknown>> = {
        get: () => storage.agents.get(orgId, id),
        list: async () => (await storage.agents.list(orgId, { limit: 1, where: { id } }))[0],
        update: () => storage.agents.update(orgId, id, { is_active: true }),
        increment: () => storage.agents.increment(orgId, id, { max_duration_seconds: 0 }),
        find: async () => (await storage.across.agents.find({ where: { id } }, 1))[0]?.record,
      };
      for (const [verb, read] of Object.entries(readers)) {
        for (const time of ['first', 'second']) {
          const record = (await read()) as { metadata: { list: number[] } };
          assert.deepStrictEqual(record.metadata, { list: [1] }, `what ${verb} returned the ${time} time`);
          record.metadata.list.push(3);
          Object.assign(record, { name: 'changed' });
        }
      }
      const after = await storage.agents.get(orgId, id);
      assert.deepStrictEqual(after?.metadata, { list: [1] });
      assert.notEqual(after?.name, 'changed');
    },
  },
];

/** Ordinary values of a kind; other tests cover edge cases. */
function plainValues({ kind, nullable }: FieldSchema): fc.Arbitrary<unknown> {
  const second = fc.integer({ min: 0, max: 86_400 });
  const values: Record<FieldSchema['kind'], fc.Arbitrary<unknown>> = {
    uuid: fc.uuid(),
    text: fc.string({ maxLength: 20 }),
    integer: fc.integer({ min: -1_000, max: 1_000 }),
    number: fc.integer({ min: -4_000, max: 4_000 }).map((quarters) => quarters / 4),
    boolean: fc.boolean(),
    timestamp: second.map((n) => new Date(Date.UTC(2026, 0, 10) + n * 1_000).toISOString()),
    json: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 8 }),
      fc.oneof(fc.integer(), fc.boolean(), fc.string({ maxLength: 8 })),
      { maxKeys: 4, noNullPrototype: true },
    ),
  };
  return nullable ? fc.option(values[kind]) : values[kind];
}

/** Writes an agent through each verb and reads it back. */
async function writtenAgents(storage: Storage, changes: Partial<Agent>): Promise<(Agent | null | undefined)[]> {
  const orgId = newId();
  const inserted = await insertSample(storage, orgId, 'agents', changes);
  const updated = await insertSample(storage, orgId, 'agents');
  await storage.agents.update(orgId, updated.id, changes);
  const many = { ...inserted, id: newId(), created_at: second(1) };
  await storage.agents.insertMany(orgId, [many]);
  const [listed] = await storage.agents.list(orgId, { limit: 1, where: { id: many.id } });
  return [await storage.agents.get(orgId, inserted.id), await storage.agents.get(orgId, updated.id), listed];
}

function keepsTexts(name: string, texts: readonly string[]): StorageTest {
  return {
    name,
    async run({ storage }) {
      for (const text of texts) {
        for (const agent of await writtenAgents(storage, { first_message: text })) {
          assert.equal(agent?.first_message, text);
        }
      }
    },
  };
}

async function keepsReplaced(storage: Storage, given: string, kept: string): Promise<void> {
  const metadata = { [given]: [given], plain: given };
  for (const agent of await writtenAgents(storage, { first_message: given, metadata })) {
    assert.equal(agent?.first_message, kept);
    assert.deepStrictEqual(agent?.metadata, { [kept]: [kept], plain: kept });
  }
}

function keepsJson(name: string, metadata: Record<string, unknown>): StorageTest {
  return {
    name,
    async run({ storage }) {
      for (const agent of await writtenAgents(storage, { metadata })) {
        assert.deepStrictEqual(agent?.metadata, metadata);
      }
    },
  };
}

/** Asserts that every field of the kind, in every collection, keeps the value. */
async function keepsInAllFields(storage: Storage, kind: FieldKind, value: unknown): Promise<void> {
  for (const schema of collectionSchemas) {
    const names = schema.fields.filter((field) => field.kind === kind).map((field) => field.name);
    if (names.length === 0) continue;
    const orgId = newId();
    const changes = Object.fromEntries(names.map((name) => [name, value]));
    const record = await insertSample(storage, orgId, schema.name, changes);
    const stored = await anyCollection(storage, schema.name).get(orgId, record.id);
    for (const name of names) assert.equal(stored?.[name], value, `${schema.name}.${name}`);
  }
}

function keepsNumbers(name: string, kind: FieldKind, values: readonly number[]): StorageTest {
  return {
    name,
    async run({ storage }) {
      for (const value of values) await keepsInAllFields(storage, kind, value);
    },
  };
}

function keepsInstants(name: string, instants: readonly string[]): StorageTest {
  return {
    name,
    async run({ storage }) {
      for (const instant of instants) await keepsInAllFields(storage, 'timestamp', instant);
    },
  };
}

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = { bottom: true };
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { list: [value] } : { object: value };
  return value;
}
