import type { Migration } from './migration.ts';

/** Which destinations an organization may call and transfer to; null for all but premium-rate numbers. */
export const dialPolicies: Migration = {
  version: 13,
  name: 'dial-policies',
  statements: ['alter table {schema}.organizations add dial_policy json'],
};
