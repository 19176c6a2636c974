import type { Migration } from './migration.ts';

/** Gives a webhook secret to each organization without one, as a webhook that is not signed can be forged. */
export const everyOrganizationSigns: Migration = {
  version: 12,
  name: 'every-organization-signs',
  statements: [
    // The UUIDs have 244 random bits of the server's strong generator; pgcrypto may be missing.
    `update {schema}.organizations
      set webhook_secret =
        'whsec_' || encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'base64')
      where webhook_secret is null`,
  ],
};
