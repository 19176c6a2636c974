import type { CollectionName } from './record-types.ts';
import type { Order, StoredRecord } from './stored-record.ts';
import type { TableName } from './table-names.ts';

/**
 * Storage type of a field. `text` holds any Unicode text; `integer` up to 2^53; `number` a double; `timestamp` an
 * instant to the millisecond; `json` any JSON with its keys in the written order. A `?` allows null.
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

/** Fields whose values are unique. */
export interface UniqueConstraint<R> {
  /** Fields whose values together are unique. Null values are never equal. */
  readonly fields: readonly (keyof R & string)[];
  /** Scope of the uniqueness: one organization, or the whole deployment. */
  readonly scope: 'organization' | 'deployment';
}

/** A field that refers to a record of another collection. */
export interface Reference {
  /** Collection of the record whose id the field holds. Both records belong to the same organization. */
  readonly to: CollectionName;
  /** Effect of deleting the referenced record: this field becomes null, or this record is deleted too (`cascade`). */
  readonly onDelete: 'null' | 'cascade';
}

/** Definition of a collection, as data from which an adapter makes a table. */
export interface CollectionDefinition<R extends StoredRecord = StoredRecord> {
  readonly table: TableName;
  readonly fields: { readonly [K in keyof R & string]-?: FieldOf<R[K]> };
  /** Default order of lists. */
  readonly order: Order;
  /** Unique constraints by name; a `UniqueViolation` carries the name. */
  readonly unique: Readonly<Record<string, UniqueConstraint<R>>>;
  readonly references: { readonly [K in keyof R & string]?: Reference };
  /** Fields that lists are filtered by. An adapter can index each together with the order. */
  readonly indexes: readonly (keyof R & string)[];
  /** JSON fields with a list of objects whose `content` can be searched for words. */
  readonly searched: readonly (keyof R & string)[];
  /** True for organizations: each record belongs to the organization with its own id. */
  readonly ownsItself: boolean;
}

/** Completes a definition with defaults. */
export function defineCollection<R extends StoredRecord>(
  definition: Pick<CollectionDefinition<R>, 'table' | 'fields'> & Partial<CollectionDefinition<R>>,
): CollectionDefinition<R> {
  return { order: 'newest', unique: {}, references: {}, indexes: [], searched: [], ownsItself: false, ...definition };
}
