import type { Migration } from './migration.ts';

/**
 * Adds the id of the key by which the secrets in an organization's records are sealed; null until the first secret is
 * sealed.
 */
export const sealedSecretsInRecords: Migration = {
  version: 15,
  name: 'sealed-secrets-in-records',
  statements: ['alter table {schema}.organizations add sealing_key_id uuid'],
};
