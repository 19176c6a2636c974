import type { Migration } from './migration.ts';

/** What becomes of a call after its end: its analysis, and for how long it is kept. */
export const afterTheCall: Migration = {
  version: 5,
  name: 'after-the-call',
  statements: [
    `alter table {schema}.organizations
      add content_retention_days bigint,
      add metadata_retention_days bigint`,
    `alter table {schema}.calls
      add analysis_status text,
      add analysis_error text,
      add erased_at timestamptz(3)`,
    // Whoever erases what is old enough reads no call that has been erased.
    `create index calls_with_content on {schema}.calls (org_id, created_at, id)
      where erased_at is null`,
  ],
};
