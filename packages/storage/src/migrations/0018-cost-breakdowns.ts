import type { Migration } from './migration.ts';

/** Adds the usage of providers to calls and their usage logs; empty for calls of earlier versions. */
export const costBreakdowns: Migration = {
  version: 18,
  name: 'cost-breakdowns',
  statements: [
    "alter table {schema}.calls add cost_breakdown json not null default '[]'",
    "alter table {schema}.usage_logs add cost_breakdown json not null default '[]'",
  ],
};
