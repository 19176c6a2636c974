import { callStatuses } from '@va/core';
import {
  type CollectionName,
  type CollectionSchema,
  collectionSchemas,
  type FieldSchema,
  type Records,
  type RecordTypes,
  systemClock,
  uuidv7,
} from '@va/core/adapter';
import { type AnyRecord, anyCollection } from './any-records.ts';

/** Returns a new UUID version 7. */
export function newId(): string {
  return uuidv7(systemClock);
}

/**
 * Returns the instant `n` seconds after noon of an arbitrary winter day, far from any change of daylight-saving time.
 */
export function second(n: number): string {
  return new Date(Date.UTC(2026, 0, 10, 12) + n * 1_000).toISOString();
}

/** Returns the schema of a collection. */
export function schemaOf(name: CollectionName): CollectionSchema {
  const schema = collectionSchemas.find((each) => each.name === name);
  if (schema === undefined) throw new Error(`There is no collection ${name}.`);
  return schema;
}

/** Returns the n-th sample of a collection: unique in all unique fields, without references. */
export function sampleRecord(schema: CollectionSchema, n: number, changes: Partial<AnyRecord> = {}): AnyRecord {
  const id = changes.id ?? newId();
  const instant = second(n);
  const fields = schema.fields.map((field) => [field.name, sampleValue(schema, field, { n, id, instant })]);
  return { ...Object.fromEntries(fields), ...changes, id, created_at: changes.created_at ?? instant };
}

/** Values that differ between the samples of a collection. */
interface Varying {
  readonly n: number;
  readonly id: string;
  readonly instant: string;
}

function sampleValue(schema: CollectionSchema, { name, kind }: FieldSchema, { n, id, instant }: Varying): unknown {
  if (schema.references.some(({ field }) => field === name)) return null;
  if (schema.name === 'calls' && name === 'status') return callStatuses[n % callStatuses.length];
  switch (kind) {
    case 'uuid':
      return newId();
    case 'text':
      return `${name} ${n} ${id}`;
    case 'integer':
      return n;
    case 'number':
      return n + 0.5;
    case 'boolean':
      return n % 2 === 1;
    case 'timestamp':
      return instant;
    case 'json':
      return { n, list: [name, null, true] };
  }
}

/** Inserts the n-th sample, after the records that it requires, and returns the sample as inserted. */
export async function insertSample<N extends CollectionName>(
  records: Records,
  orgId: string,
  name: N,
  changes: Partial<RecordTypes[N]> = {},
  n = 0,
): Promise<RecordTypes[N]> {
  const schema = schemaOf(name);
  const record = { ...sampleRecord(schema, n, schema.ownsItself ? { id: orgId } : {}), ...changes };
  const complete = { ...record, ...(await insertParents(records, orgId, schema, record)) };
  await anyCollection(records, name).insert(orgId, complete);
  return complete as unknown as RecordTypes[N];
}

/** Inserts the records that a record requires, and returns the fields that refer to them. */
export async function insertParents(
  records: Records,
  orgId: string,
  schema: CollectionSchema,
  record: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, string>> {
  const parents: Record<string, string> = {};
  for (const { field, to } of schema.references) {
    const isNullable = schema.fields.some(({ name, nullable }) => name === field && nullable);
    if (isNullable || (record[field] ?? null) !== null) continue;
    parents[field] = (await insertSample(records, orgId, to)).id;
  }
  return parents;
}
