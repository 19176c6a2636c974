import { accountCollections } from './account-collections.ts';
import { callCollections } from './call-collections.ts';
import { campaignCollections } from './campaign-collections.ts';
import type { CollectionDefinition } from './definition.ts';
import type { CollectionName, RecordTypes } from './record-types.ts';

/** Every kind of records that the service keeps; a collection stands after those it refers to. */
export const collections: { readonly [N in CollectionName]: CollectionDefinition<RecordTypes[N]> } = {
  ...accountCollections,
  ...callCollections,
  ...campaignCollections,
};

/** The names, in the order in which they refer to each other. */
export const collectionNames = Object.keys(collections) as readonly CollectionName[];
