import type { CollectionName, RecordTypes } from '../../records/record-types.ts';
import type { Collection, CollectionAcross } from './collection.ts';

/** The collections, by name. */
export type Records = { readonly [N in CollectionName]: Collection<RecordTypes[N]> } & {
  /** The same ones, over all organizations. */
  readonly across: { readonly [N in CollectionName]: CollectionAcross<RecordTypes[N]> };
};
