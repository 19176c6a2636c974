import type { Migration } from './migration.ts';

/**
 * Adds the details that a node publishes about itself, for operators, and about trunks, for the owners of the trunks.
 */
export const detailsOfNodes: Migration = {
  version: 24,
  name: 'details-of-nodes',
  statements: ['alter table {schema}.nodes add renewed_at timestamptz(3), add details json, add trunks jsonb'],
};
