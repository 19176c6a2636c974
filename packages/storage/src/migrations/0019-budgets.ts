import type { Migration } from './migration.ts';

/** Adds the budget of agents, and the credit of organizations. */
export const budgets: Migration = {
  version: 19,
  name: 'budgets',
  statements: [
    'alter table {schema}.agents add budget json',
    'alter table {schema}.organizations add credit_balance double precision',
  ],
};
