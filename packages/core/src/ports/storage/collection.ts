import type { Order, StoredRecord } from '../../records/stored-record.ts';

/** What a field has to be: the value itself (null included), one of several, or in a half-open range. */
export type Condition<V> =
  | V
  | { readonly in: readonly V[] }
  | { readonly gte?: NonNullable<V>; readonly lt?: NonNullable<V> };

type Comparable = string | number | boolean | null;

/**
 * All given conditions hold. A null is in no range; texts are in the order of their code points. JSON fields cannot be asked
 * for; a condition that is `undefined` is a `TypeError`, as without it more would match than was meant.
 */
export type Where<R> = { readonly [K in keyof R as R[K] extends Comparable ? K : never]?: Condition<R[K]> };

/** `where` holds, and, where there are any, at least one of `anyOf`. */
export interface Filter<R> {
  readonly where?: Where<R>;
  readonly anyOf?: readonly Where<R>[];
}

/** A place in a list: just behind the record that has these. */
export interface Cursor {
  readonly created_at: string;
  readonly id: string;
}

export interface ListQuery<R> extends Filter<R> {
  readonly limit: number;
  /** How many records to leave out at the start; 0 by default. */
  readonly offset?: number;
  /** Begins behind this place, which need not have a record any more. */
  readonly after?: Cursor;
  /** The collection's own order by default. */
  readonly order?: Order;
}

/** The keys to replace; the others stay. */
export type Changes<R> = Partial<Omit<R, 'id' | 'created_at'>>;

type NumberKeys<R> = { [K in keyof R]: Extract<R[K], number> extends never ? never : K }[keyof R] & string;

/** Amounts to add, negative ones too. */
export type Amounts<R> = { readonly [K in NumberKeys<R>]?: number };

/**
 * The records of one kind. Every verb is one atomic step and takes the organization first: a record of another one is as
 * if it were not there. Nothing that a verb returns, or was given, is shared with what is stored.
 */
export interface Collection<R extends StoredRecord> {
  /**
   * Throws `UniqueViolation` (constraint `id` or one of the collection's `unique`) or `ReferenceViolation` (the field) where a
   * referenced record is not there in the same organization; then nothing is stored. An organization is inserted as its own
   * (`foreign_owner`).
   */
  insert(orgId: string, record: R): Promise<void>;
  /**
   * Stores those that violate no unique constraint, those before them in the list included, and returns their ids in
   * the order of the list. Throws `ReferenceViolation`, and then stores none.
   */
  insertMany(orgId: string, records: readonly R[]): Promise<string[]>;
  get(orgId: string, id: string): Promise<R | null>;
  /**
   * Reads a record that matches `expected` and locks it until the transaction ends: others that lock or change it wait.
   * Returns its latest committed state, or null when it does not match or does not exist. Outside a transaction the lock
   * ends at once.
   */
  lock(orgId: string, id: string, expected?: Where<R>): Promise<R | null>;
  list(orgId: string, query: ListQuery<R>): Promise<R[]>;
  /** Exact. */
  count(orgId: string, filter?: Filter<R>): Promise<number>;
  /** Sums over all that match, exact for integers; nulls count as 0. */
  sum<K extends NumberKeys<R>>(orgId: string, fields: readonly K[], filter?: Filter<R>): Promise<Record<K, number>>;
  /**
   * Compare and set: replaces the given keys if the record matches `expected` at that moment; returns it as it then is, or
   * null where it does not match or is not there. Throws like `insert`.
   */
  update(orgId: string, id: string, changes: Changes<R>, expected?: Where<R>): Promise<R | null>;
  /** Replaces the given keys of all that match; returns how many. Throws like `insert`. */
  updateMany(orgId: string, filter: Filter<R>, changes: Changes<R>): Promise<number>;
  /** Adds to number fields; a null stays null. Otherwise like `update`. */
  increment(orgId: string, id: string, amounts: Amounts<R>, expected?: Where<R>): Promise<R | null>;
  /**
   * False where there is no such record, or it does not match `expected`. What refers to it follows the collection's `references` in
   * the same step: the field becomes null, or the record goes too.
   */
  delete(orgId: string, id: string, expected?: Where<R>): Promise<boolean>;
}

export interface Owned<R> {
  readonly orgId: string;
  readonly record: R;
}

/** The verbs that work on all organizations: for the service itself, never on a tenant's behalf. */
export interface CollectionAcross<R extends StoredRecord> {
  /** `insertMany` for records of several organizations, in one step: `ReferenceViolation` of one stores none. */
  insertMany(records: readonly Owned<R>[]): Promise<string[]>;
  /** Returns up to `limit` records that match, those with the lowest `orderBy` first (nulls last); by default the oldest. */
  find(filter: Filter<R>, limit: number, orderBy?: keyof R & string): Promise<Owned<R>[]>;
  /**
   * Changes up to `limit` records that match, those with the lowest `orderBy` first (nulls last), and returns them as they then are.
   * Of any number of claims at once, each record goes to one: `changes` has to make it match no more. A claim does not wait
   * for another one's records; it takes the next.
   */
  claim(claim: {
    readonly filter: Filter<R>;
    readonly changes: Changes<R>;
    readonly limit: number;
    readonly orderBy?: keyof R & string;
  }): Promise<Owned<R>[]>;
  /** Deletes up to `limit` records that match; returns how many. */
  purge(filter: Filter<R>, limit: number): Promise<number>;
}
