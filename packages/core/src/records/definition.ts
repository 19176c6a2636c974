import type { CollectionName } from './record-types.ts';
import type { Order, StoredRecord } from './stored-record.ts';
import type { TableName } from './table-names.ts';

/**
 * How a field is kept. `text` holds any Unicode text; `integer` up to 2^53; `number` a double; `timestamp` an instant to the
 * millisecond; `json` any JSON with its keys in the order they were written. A `?` allows null.
 */
export type FieldKind = 'uuid' | 'text' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'json';

type KindOf<V> = V extends string
  ? 'uuid' | 'text' | 'timestamp'
  : V extends number
    ? 'integer' | 'number'
    : V extends boolean
      ? 'boolean'
      : 'json';

type FieldOf<V> = null extends V ? `${KindOf<NonNullable<V>>}?` : KindOf<V>;

export interface UniqueConstraint<R> {
  /** No two records have the same values in all of these; a null is like no other value. */
  readonly fields: readonly (keyof R & string)[];
  /** Within what: one organization, or the whole deployment. */
  readonly scope: 'organization' | 'deployment';
}

export interface Reference {
  /** The collection whose record the field names by its id. The record is of the same organization. */
  readonly to: CollectionName;
  /** What becomes of this record when that one is deleted. */
  readonly onDelete: 'null' | 'cascade';
}

/** A kind of records, in data: what an adapter needs to make a table of it. */
export interface CollectionDefinition<R extends StoredRecord = StoredRecord> {
  readonly table: TableName;
  readonly fields: { readonly [K in keyof R & string]-?: FieldOf<R[K]> };
  /** The order of lists. */
  readonly order: Order;
  /** By the name of the constraint, which is what a `UniqueViolation` has. */
  readonly unique: Readonly<Record<string, UniqueConstraint<R>>>;
  readonly references: { readonly [K in keyof R & string]?: Reference };
  /** Fields that lists are filtered by, so that an adapter can index them, each together with the order. */
  readonly indexes: readonly (keyof R & string)[];
  /** True for the organizations themselves: the record's id is its owner. */
  readonly ownsItself: boolean;
}

/** A definition with the type of its records, and what most collections leave out. */
export function defineCollection<R extends StoredRecord>(
  definition: Pick<CollectionDefinition<R>, 'table' | 'fields'> & Partial<CollectionDefinition<R>>,
): CollectionDefinition<R> {
  return { order: 'newest', unique: {}, references: {}, indexes: [], ownsItself: false, ...definition };
}
