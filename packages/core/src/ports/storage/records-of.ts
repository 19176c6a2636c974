import { type CollectionName, collectionNames, type RecordTypes } from './collections.ts';
import type { Records } from './storage.ts';
import type { Collection, CollectionAcross } from './verbs.ts';

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
