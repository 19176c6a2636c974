import type { Migration } from './migration.ts';

/** Adds failed dials of campaigns and leads: they are no attempts, and slow the campaign down. */
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
