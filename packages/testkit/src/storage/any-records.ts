import type { CollectionName, CollectionSchema, Order, Owned, Records } from '@va/core/adapter';

/** Record of any collection. */
export type AnyRecord = { readonly id: string; readonly created_at: string } & Readonly<Record<string, unknown>>;

/** Filter of a collection whose record type is not known. */
export interface AnyFilter {
  readonly where?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Readonly<Record<string, unknown>>[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The verbs of any collection, for tests that treat all collections alike. */
export interface AnyCollection {
  insert(orgId: string, record: AnyRecord): Promise<void>;
  insertMany(orgId: string, records: readonly AnyRecord[]): Promise<string[]>;
  get(orgId: string, id: string): Promise<AnyRecord | null>;
  lock(orgId: string, id: string, expected?: Fields): Promise<AnyRecord | null>;
  list(
    orgId: string,
    query: AnyFilter & { limit: number; offset?: number; after?: { created_at: string; id: string }; order?: Order },
  ): Promise<AnyRecord[]>;
  count(orgId: string, filter?: AnyFilter, atMost?: number): Promise<number>;
  sum(orgId: string, fields: readonly string[], filter?: AnyFilter): Promise<Record<string, number>>;
  sumGroups(
    orgId: string,
    query: AnyFilter & { by: readonly string[]; sums: readonly string[]; limit: number },
  ): Promise<Record<string, unknown>[]>;
  update(orgId: string, id: string, changes: Fields, expected?: Fields): Promise<AnyRecord | null>;
  updateMany(orgId: string, filter: AnyFilter, changes: Fields): Promise<number>;
  increment(orgId: string, id: string, amounts: Fields, expected?: Fields): Promise<AnyRecord | null>;
  delete(orgId: string, id: string, expected?: Fields): Promise<boolean>;
}

/** Verbs of a collection across organizations, without its record type. */
export interface AnyCollectionAcross {
  insertMany(records: readonly Owned<AnyRecord>[]): Promise<string[]>;
  find(filter: AnyFilter, limit: number, orderBy?: string): Promise<Owned<AnyRecord>[]>;
  claim(claim: { filter: AnyFilter; changes: Fields; limit: number; orderBy?: string }): Promise<Owned<AnyRecord>[]>;
  purge(filter: AnyFilter, limit: number): Promise<number>;
}

/** Returns a collection without its record type, for tests that take the fields from the schema. */
export function anyCollection(records: Records, name: CollectionName): AnyCollection {
  return records[name] as unknown as AnyCollection;
}

/** Returns the verbs across organizations of a collection. */
export function anyAcross(records: Records, name: CollectionName): AnyCollectionAcross {
  return records.across[name] as unknown as AnyCollectionAcross;
}

/** Returns true if an organization can have many records of the collection. */
export function isPlural({ ownsItself, unique }: CollectionSchema): boolean {
  return !ownsItself && unique.every(({ fields }) => fields.length > 0);
}
