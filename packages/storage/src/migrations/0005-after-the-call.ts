import type { Migration } from './migration.ts';

/** Adds the analysis and the retention of calls. */
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
    // For the retention pass, which skips erased calls.
    `create index calls_with_content on {schema}.calls (org_id, created_at, id)
      where erased_at is null`,
  ],
};
