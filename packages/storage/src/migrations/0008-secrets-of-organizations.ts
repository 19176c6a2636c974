import type { Migration } from './migration.ts';

/** Adds the previous webhook secret of an organization, which stays valid for a grace period, as agents have it. */
export const secretsOfOrganizations: Migration = {
  version: 8,
  name: 'secrets-of-organizations',
  statements: [
    `alter table {schema}.organizations
      add webhook_previous_secret text,
      add webhook_previous_secret_expires_at timestamptz(3)`,
  ],
};
