import type { Migration } from './migration.ts';

/** An organization's secret in its grace, as an agent's. */
export const secretsOfOrganizations: Migration = {
  version: 8,
  name: 'secrets-of-organizations',
  statements: [
    `alter table {schema}.organizations
      add webhook_previous_secret text,
      add webhook_previous_secret_expires_at timestamptz(3)`,
  ],
};
