import type { Collection, CollectionAcross } from '../ports/storage/collection.ts';
import type { Records } from '../ports/storage/records.ts';
import { collectionNames } from '../records/collections.ts';
import type { CollectionName, RecordTypes } from '../records/record-types.ts';

/**
 * Builds the records of a storage adapter from functions that build one collection. `collections[name]` is its
 * definition.
 *
 * @example recordsOf((name) => myCollection(collections[name]), (name) => myCollectionAcross(collections[name]))
 */
export function recordsOf(
  collection: <N extends CollectionName>(name: N) => Collection<RecordTypes[N]>,
  across: <N extends CollectionName>(name: N) => CollectionAcross<RecordTypes[N]>,
): Records {
  const entries = collectionNames.map((name) => [name, collection(name)] as const);
  const acrossEntries = collectionNames.map((name) => [name, across(name)] as const);
  return { ...Object.fromEntries(entries), across: Object.fromEntries(acrossEntries) } as Records;
}
