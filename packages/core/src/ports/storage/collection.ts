import type { Order, StoredRecord } from '../../records/stored-record.ts';

/** Condition on a field: a value (null included), one of several values, or a half-open range. */
export type Condition<V> =
  | V
  | { readonly in: readonly V[] }
  | { readonly gte?: NonNullable<V>; readonly lt?: NonNullable<V> };

type Comparable = string | number | boolean | null;

/**
 * Condition on the texts of a JSON field: each of the words occurs in one of them, the last one as the beginning of a
 * word. Words are runs of letters and digits, in lower case. Texts beyond the first 200,000 characters of a record may
 * be left out.
 */
export interface WordsCondition {
  readonly words: readonly [string, ...string[]];
}

/**
 * Conditions that all hold. Null is in no range; texts are compared by code point. Of JSON fields, only those that the
 * collection names as `searched` can be filtered by. A condition that is `undefined` throws `TypeError`, because
 * ignoring it would match more records.
 */
export type Where<R> = { readonly [K in keyof R as R[K] extends Comparable ? K : never]?: Condition<R[K]> } & {
  readonly [K in keyof R as R[K] extends readonly { readonly content: string }[] ? K : never]?: WordsCondition;
};

/** `where` holds and, if given, at least one of `anyOf`. */
export interface Filter<R> {
  readonly where?: Where<R>;
  readonly anyOf?: readonly Where<R>[];
}

/** Position in a list, directly after the record with these values. */
export interface Cursor {
  readonly created_at: string;
  readonly id: string;
}

/** Selects, orders and limits the records of a list. */
export interface ListQuery<R> extends Filter<R> {
  readonly limit: number;
  /** Number of records to skip. Default 0. */
  readonly offset?: number;
  /** Start after this position; its record may have been deleted. */
  readonly after?: Cursor;
  /** Default: the order of the collection. */
  readonly order?: Order;
}

/** Fields to replace; others are unchanged. */
export type Changes<R> = Partial<Omit<R, 'id' | 'created_at'>>;

type NumberKeys<R> = { [K in keyof R]: Extract<R[K], number> extends never ? never : K }[keyof R] & string;

/** Amounts to add; they may be negative. */
export type Amounts<R> = { readonly [K in NumberKeys<R>]?: number };

type ListKeys<R> = { [K in keyof R]: R[K] extends readonly object[] ? K : never }[keyof R] & string;
type ItemOf<R, K extends keyof R> = R[K] extends readonly (infer Item)[] ? Item : never;

/** Sums over the items in a JSON field of the matching records. */
interface ItemsQuery<R, K extends keyof R, By, Sum> extends Filter<R> {
  /** JSON field with a list of objects. */
  readonly field: K;
  /** Fields that are equal in all items of a group: texts, booleans, null. */
  readonly by: readonly By[];
  /** Number fields to add up. Groups are ordered by the first sum, highest first, null last. */
  readonly sums: readonly Sum[];
  /** Maximum number of groups. */
  readonly limit: number;
}

/** A group of items: its common fields and its sums. A sum is null if the field is null in all items. */
type ItemSums<R, K extends keyof R, By extends keyof ItemOf<R, K>, Sum extends string> = Readonly<
  Pick<ItemOf<R, K>, By> & Record<Sum, number | null>
>;

/** Sums over the matching records, in groups. */
interface GroupsQuery<R, By, Sum> extends Filter<R> {
  /** Fields that are equal in all records of a group; no JSON. */
  readonly by: readonly By[];
  /** Number fields to add up. */
  readonly sums: readonly Sum[];
  /** Maximum number of groups: those with the most records. */
  readonly limit: number;
}

/** A group of records: its common fields, their number, and its sums, in which nulls count as 0. */
export type GroupSums<R, By extends keyof R, Sum extends string> = Readonly<
  Pick<R, By> & { count: number } & Record<Sum, number>
>;

type GroupKeys<R> = { [K in keyof R]: R[K] extends Comparable ? K : never }[keyof R] & string;

/**
 * Records of one collection. Every verb is one atomic step and takes the organization first; records of other
 * organizations are invisible. Arguments and results share no objects with what is stored.
 */
export interface Collection<R extends StoredRecord> {
  /**
   * Stores a record. Throws `UniqueViolation` (constraint `id` or one of the collection's `unique`), or
   * `ReferenceViolation` (the field) if a referenced record does not exist in the organization; nothing is stored then.
   * The record of an organization belongs to that organization itself: another `orgId` throws `foreign_owner`.
   */
  insert(orgId: string, record: R): Promise<void>;
  /**
   * Stores the records that violate no unique constraint, also among each other, and returns their ids in the given
   * order. Stores none if one of them violates a reference, and throws `ReferenceViolation`.
   */
  insertMany(orgId: string, records: readonly R[]): Promise<string[]>;
  get(orgId: string, id: string): Promise<R | null>;
  /**
   * Reads a record that matches `expected` and locks it until the transaction ends: others that lock or change it wait.
   * Returns its latest committed state, or null when it does not match or does not exist. Outside a transaction the
   * lock ends at once.
   */
  lock(orgId: string, id: string, expected?: Where<R>): Promise<R | null>;
  list(orgId: string, query: ListQuery<R>): Promise<R[]>;
  /** Returns the exact number of matching records, up to `atMost`. */
  count(orgId: string, filter?: Filter<R>, atMost?: number): Promise<number>;
  /** Returns sums over all matching records, exact for integers. Nulls count as 0. */
  sum<K extends NumberKeys<R>>(orgId: string, fields: readonly K[], filter?: Filter<R>): Promise<Record<K, number>>;
  /**
   * Returns sums over the items of a JSON field in all matching records, in groups. For reports of an organization
   * over many records, whose items would not fit into memory.
   */
  sumItems<K extends ListKeys<R>, By extends keyof ItemOf<R, K> & string, Sum extends keyof ItemOf<R, K> & string>(
    orgId: string,
    query: ItemsQuery<R, K, By, Sum>,
  ): Promise<ItemSums<R, K, By, Sum>[]>;
  /** Returns sums over all matching records in groups, those with the most records first. */
  sumGroups<By extends GroupKeys<R>, Sum extends NumberKeys<R>>(
    orgId: string,
    query: GroupsQuery<R, By, Sum>,
  ): Promise<GroupSums<R, By, Sum>[]>;
  /**
   * Compare and set: replaces the given fields if the record matches `expected` at that moment. Returns the changed
   * record, or null if it does not match or does not exist. Throws like `insert`.
   */
  update(orgId: string, id: string, changes: Changes<R>, expected?: Where<R>): Promise<R | null>;
  /** Replaces the given fields of all matching records and returns their number. Throws like `insert`. */
  updateMany(orgId: string, filter: Filter<R>, changes: Changes<R>): Promise<number>;
  /** Adds to number fields; null stays null. Otherwise like `update`. */
  increment(orgId: string, id: string, amounts: Amounts<R>, expected?: Where<R>): Promise<R | null>;
  /**
   * Deletes a record. Returns false if it does not exist or does not match `expected`. Referring records follow the
   * collection's `references` in the same step: the field becomes null, or the record is deleted too.
   */
  delete(orgId: string, id: string, expected?: Where<R>): Promise<boolean>;
}

/** A record with its organization. */
export interface Owned<R> {
  readonly orgId: string;
  readonly record: R;
}

/** Verbs over the records of all organizations: for the service itself, never on behalf of a tenant. */
export interface CollectionAcross<R extends StoredRecord> {
  /** Inserts records of several organizations in one step, like `Collection.insertMany`. */
  insertMany(records: readonly Owned<R>[]): Promise<string[]>;
  /**
   * Returns up to `limit` records that match, those with the lowest `orderBy` first (nulls last); by default the
   * oldest.
   */
  find(filter: Filter<R>, limit: number, orderBy?: keyof R & string): Promise<Owned<R>[]>;
  /**
   * Changes up to `limit` matching records, those with the lowest `orderBy` first (nulls last), and returns them
   * changed. Concurrent claims never get the same record, provided that a record with `changes` no longer matches
   * `filter`. A claim does not wait for records that another claim has locked: it skips them.
   */
  claim(claim: {
    readonly filter: Filter<R>;
    readonly changes: Changes<R>;
    readonly limit: number;
    readonly orderBy?: keyof R & string;
  }): Promise<Owned<R>[]>;
  /** Deletes up to `limit` matching records and returns their number. */
  purge(filter: Filter<R>, limit: number): Promise<number>;
}
