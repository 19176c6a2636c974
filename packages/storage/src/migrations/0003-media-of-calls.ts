import type { Migration } from './migration.ts';

/** How the media of a call went over the network. */
export const mediaOfCalls: Migration = {
  version: 3,
  name: 'media-of-calls',
  statements: ['alter table {schema}.calls add media json'],
};
