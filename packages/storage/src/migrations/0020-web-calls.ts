import type { Migration } from './migration.ts';

/** Adds the grants for web calls. */
export const webCalls: Migration = {
  version: 20,
  name: 'web-calls',
  statements: [
    `create table {schema}.web_call_grants (
      id uuid primary key,
      org_id uuid not null,
      token_hash text not null,
      agent_id uuid not null,
      variables json,
      metadata json,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      constraint web_call_grants_token_hash_key unique (token_hash),
      constraint web_call_grants_agent_id_fkey foreign key (org_id, agent_id)
        references {schema}.agents (org_id, id) on delete cascade
    )`,
    'create index web_call_grants_newest on {schema}.web_call_grants (org_id, created_at desc, id desc)',
    'create index web_call_grants_agent_id on {schema}.web_call_grants (org_id, agent_id, created_at desc, id desc)',
    'create index web_call_grants_expires_at on {schema}.web_call_grants (expires_at)',
  ],
};
