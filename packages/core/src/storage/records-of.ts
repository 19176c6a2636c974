import type { Collection, CollectionAcross } from '../ports/storage/collection.ts';
import type { Records } from '../ports/storage/records.ts';
import { collectionNames } from '../records/collections.ts';
import type { CollectionName, RecordTypes } from '../records/record-types.ts';

/**
 * Makes the records of a storage from what it makes of each collection. For adapters: `collections[name]` tells what to
 * make.
 */
export function recordsOf(
  collection: <N extends CollectionName>(name: N) => Collection<RecordTypes[N]>,
  across: <N extends CollectionName>(name: N) => CollectionAcross<RecordTypes[N]>,
): Records {
  const entries = collectionNames.map((name) => [name, collection(name)] as const);
  const acrossEntries = collectionNames.map((name) => [name, across(name)] as const);
  return { ...Object.fromEntries(entries), across: Object.fromEntries(acrossEntries) } as Records;
}
