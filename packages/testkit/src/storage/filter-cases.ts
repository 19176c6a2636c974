import type { CollectionSchema, FieldSchema, Records } from '@va/core/adapter';
import { type AnyFilter, type AnyRecord, anyCollection } from './any-records.ts';
import { insertSample, newId } from './samples.ts';

/** A filter and the records that it has to find. */
export interface FilterCase {
  readonly filter: AnyFilter;
  /** Records that the filter finds, oldest first. */
  readonly finds: readonly AnyRecord[];
}

/**
 * Inserts three records that differ in every field that can be filtered by, and a fourth with nulls in all nullable
 * fields. Returns their organization, and the stored records.
 */
export async function insertDiffering(records: Records, schema: CollectionSchema): Promise<[string, AnyRecord[]]> {
  const orgId = newId();
  const inserted: AnyRecord[] = [];
  for (const n of [0, 1, 2, 3]) {
    const nulls = schema.fields.filter(({ nullable }) => n === 3 && nullable).map(({ name }) => [name, null]);
    const record = await insertSample(records, orgId, schema.name, Object.fromEntries(nulls), n);
    const stored = await anyCollection(records, schema.name).get(orgId, record.id);
    if (stored === null) throw new Error(`What was inserted into ${schema.name} is not there.`);
    inserted.push(stored);
  }
  return [orgId, inserted];
}

/** Returns filters by each field and each condition, and some combinations. They match the given records only. */
export function filterCases(schema: CollectionSchema, records: readonly AnyRecord[]): FilterCase[] {
  const among = { id: { in: records.map(({ id }) => id) } };
  const fields = schema.fields.filter(({ name, kind }) => kind !== 'json' && name !== 'id');
  const single = fields.flatMap((field) =>
    conditionsOn(field, records).map((where) => ({ where: { ...where, ...among } })),
  );
  return [...single, ...combined(fields, records, among)].map((filter) => ({
    filter,
    finds: records.filter((record) => isFound(record, filter)),
  }));
}

type Conditions = Readonly<Record<string, unknown>>;

function conditionsOn({ name, kind, nullable }: FieldSchema, records: readonly AnyRecord[]): Conditions[] {
  const [a, b, c] = records.map((record) => record[name]);
  const conditions: unknown[] = [a, { in: [a, c] }, { in: [b] }, { in: [] }];
  if (nullable) conditions.push(null, { in: [null, a] }, { in: [null] });
  if (kind !== 'boolean' && kind !== 'uuid' && [a, b, c].every((value) => value !== null)) {
    conditions.push({ gte: b }, { lt: b }, { gte: a, lt: c }, { gte: c, lt: a });
  }
  return conditions.filter((condition) => condition !== undefined).map((condition) => ({ [name]: condition }));
}

function combined(fields: readonly FieldSchema[], records: readonly AnyRecord[], among: Conditions): AnyFilter[] {
  const [a, b, c] = records;
  const names = fields.filter(({ kind }) => kind === 'text').map(({ name }) => name);
  const [one, other] = [names[0], names.at(-1)];
  if (a === undefined || b === undefined || c === undefined || one === undefined || other === undefined) return [];
  return [
    { where: { [one]: a[one], [other]: a[other], ...among } },
    { where: { [one]: a[one], created_at: b.created_at, ...among } },
  ];
}

/** Returns filters with alternatives (`anyOf`), which match the given records only. */
export function alternativeCases(schema: CollectionSchema, records: readonly AnyRecord[]): FilterCase[] {
  const among = { id: { in: records.map(({ id }) => id) } };
  const text = schema.fields.find(
    ({ kind, name }) => kind === 'text' && !schema.references.some(({ field }) => field === name),
  );
  const [a, b, c] = records;
  if (text === undefined || a === undefined || b === undefined || c === undefined) return [];
  const is = (record: AnyRecord): Conditions => ({ [text.name]: record[text.name] });
  const filters: AnyFilter[] = [
    { where: among, anyOf: [is(a), is(b)] },
    { where: among, anyOf: [is(a), { created_at: a.created_at }] },
    { where: among, anyOf: [is(a), is(b), { created_at: { gte: c.created_at } }] },
    { where: among, anyOf: [is(c)] },
    { where: among, anyOf: [{ ...is(a), created_at: b.created_at }, { created_at: b.created_at }] },
    { where: { ...among, ...is(a) }, anyOf: [is(b), is(c)] },
    { where: among, anyOf: [] },
  ];
  return filters.map((filter) => ({ filter, finds: records.filter((record) => isFound(record, filter)) }));
}

function isFound(record: AnyRecord, { where = {}, anyOf = [] }: AnyFilter): boolean {
  return holds(record, where) && (anyOf.length === 0 || anyOf.some((alternative) => holds(record, alternative)));
}

function holds(record: AnyRecord, where: Conditions): boolean {
  return Object.entries(where).every(([field, condition]) => {
    const value = record[field] as string | number | boolean | null;
    if (typeof condition !== 'object' || condition === null) return value === condition;
    if ('in' in condition) return (condition.in as unknown[]).includes(value);
    const { gte, lt } = condition as { gte?: string | number; lt?: string | number };
    return value !== null && (gte === undefined || value >= gte) && (lt === undefined || value < lt);
  });
}
