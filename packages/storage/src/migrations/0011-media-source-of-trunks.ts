import type { Migration } from './migration.ts';

/** Adds the accepted RTP sources of a trunk; null is the host's default. */
export const mediaSourceOfTrunks: Migration = {
  version: 11,
  name: 'media-source-of-trunks',
  statements: ['alter table {schema}.sip_trunks add media_source text'],
};
