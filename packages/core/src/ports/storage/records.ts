import type { CollectionName, RecordTypes } from '../../records/record-types.ts';
import type { Collection, CollectionAcross } from './collection.ts';

/** Collections by name. */
export type Records = { readonly [N in CollectionName]: Collection<RecordTypes[N]> } & {
  /** The collections over all organizations. */
  readonly across: { readonly [N in CollectionName]: CollectionAcross<RecordTypes[N]> };
};
