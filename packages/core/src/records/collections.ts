import { accountCollections } from './account-collections.ts';
import { callCollections } from './call-collections.ts';
import { campaignCollections } from './campaign-collections.ts';
import type { CollectionDefinition } from './definition.ts';
import type { CollectionName, RecordTypes } from './record-types.ts';

/** Definitions of all collections. A collection follows those that it refers to. */
export const collections: { readonly [N in CollectionName]: CollectionDefinition<RecordTypes[N]> } = {
  ...accountCollections,
  ...callCollections,
  ...campaignCollections,
};

/** Names of the collections, in the order of the definitions. */
export const collectionNames = Object.keys(collections) as readonly CollectionName[];
