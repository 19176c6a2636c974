import type { Migration } from './migration.ts';

/** Adds the destinations that an organization may call and transfer to; null excludes only premium-rate numbers. */
export const dialPolicies: Migration = {
  version: 13,
  name: 'dial-policies',
  statements: ['alter table {schema}.organizations add dial_policy json'],
};
