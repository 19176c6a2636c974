import type { Migration } from './migration.ts';

/**
 * Adds counts of failed dials to campaigns and leads. A failed dial does not count as an attempt, and slows the
 * campaign down.
 */
export const failedDials: Migration = {
  version: 14,
  name: 'failed-dials',
  statements: [
    `alter table {schema}.campaigns
      add dial_failures bigint not null default 0,
      add slowed_until_ms double precision`,
    'alter table {schema}.leads add dial_failures bigint not null default 0',
  ],
};
