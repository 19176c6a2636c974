import type { Migration } from './migration.ts';

/**
 * Names the key of each organization that the secrets in its records are sealed with; null until the first is sealed.
 */
export const sealedSecretsInRecords: Migration = {
  version: 15,
  name: 'sealed-secrets-in-records',
  statements: ['alter table {schema}.organizations add sealing_key_id uuid'],
};
