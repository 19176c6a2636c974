import type { Migration } from './migration.ts';

/** Adds the permissions for browsers to join live calls. */
export const supervision: Migration = {
  version: 25,
  name: 'supervision',
  statements: [
    `create table {schema}.supervision_grants (
      id uuid primary key,
      org_id uuid not null,
      token_hash text not null,
      call_id uuid not null,
      mode text not null,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      constraint supervision_grants_token_hash_key unique (token_hash)
    )`,
    'create index supervision_grants_newest on {schema}.supervision_grants (org_id, created_at desc, id desc)',
    'create index supervision_grants_expires_at on {schema}.supervision_grants (expires_at)',
  ],
};
