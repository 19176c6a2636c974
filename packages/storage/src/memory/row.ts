import { type CollectionSchema, type FieldSchema, type StoredRecord, storable } from '@va/core/adapter';

/** A stored value. JSON is kept as text, so that no object is shared with writers and readers. */
export type Value = string | number | boolean | null;

/** The fields of a record: immutable, replaced on change. */
export type Values = StoredRecord & Readonly<Record<string, Value>>;

/** A record as it is stored, with its organization. */
export interface MemoryRow {
  readonly orgId: string;
  readonly values: Values;
}

/** Returns the stored values of a whole record. */
export function toValues(schema: CollectionSchema, record: StoredRecord): Values {
  return { ...toSomeValues(schema, record), id: record.id, created_at: record.created_at };
}

/** Returns the stored values of those fields that `given` has. */
export function toSomeValues(schema: CollectionSchema, given: object): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const field of schema.fields) {
    const value: unknown = Reflect.get(given, field.name);
    if (value !== undefined) values[field.name] = encode(field, value);
  }
  return values;
}

/** Returns the record of a row. */
export function decodeRecord<R extends StoredRecord>(schema: CollectionSchema, values: Values): R {
  const record: Record<string, unknown> = { ...values };
  for (const { name, kind } of schema.fields) {
    const value = values[name];
    if (kind === 'json' && typeof value === 'string') record[name] = JSON.parse(value);
  }
  return record as unknown as R;
}

/** Converts a value of a record to its stored form. Throws `TypeError` for a value that the field cannot hold. */
export function encode({ name, kind }: FieldSchema, value: unknown): Value {
  if (value === null) return null;
  if (kind === 'json') return JSON.stringify(storable(value));
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  throw new TypeError(`The field ${name} cannot hold a ${typeof value}: expected a value of the kind ${kind}.`);
}

/** Position of a row in the order of lists. */
export type Place = Pick<Values, 'created_at' | 'id'>;

/** Compares positions: by `created_at`, then by id. */
export function comparePlaces(a: Place, b: Place): number {
  return compare(a.created_at, b.created_at) || compare(a.id, b.id);
}

/** Compares values; null is the greatest. */
export function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}
