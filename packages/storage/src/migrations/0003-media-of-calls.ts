import type { Migration } from './migration.ts';

/** Adds the network statistics of a call's media. */
export const mediaOfCalls: Migration = {
  version: 3,
  name: 'media-of-calls',
  statements: ['alter table {schema}.calls add media json'],
};
