import type { Migration } from './migration.ts';

/** Adds what a node publishes of itself and of its trunks, for operators and the owners of the trunks. */
export const detailsOfNodes: Migration = {
  version: 24,
  name: 'details-of-nodes',
  statements: ['alter table {schema}.nodes add renewed_at timestamptz(3), add details json, add trunks jsonb'],
};
