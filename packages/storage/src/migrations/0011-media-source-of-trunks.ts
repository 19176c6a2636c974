import type { Migration } from './migration.ts';

/** Which sources of RTP are accepted in calls through a trunk; null is the choice of the host. */
export const mediaSourceOfTrunks: Migration = {
  version: 11,
  name: 'media-source-of-trunks',
  statements: ['alter table {schema}.sip_trunks add media_source text'],
};
