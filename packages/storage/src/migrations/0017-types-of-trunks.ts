import type { Migration } from './migration.ts';

/** Adds the type of a trunk, and the account and credentials of a carrier. Existing trunks get the type SIP. */
export const typesOfTrunks: Migration = {
  version: 17,
  name: 'types-of-trunks',
  statements: [
    `alter table {schema}.sip_trunks
      add type text not null default 'sip',
      add account json,
      add credentials_secret_id uuid`,
  ],
};
