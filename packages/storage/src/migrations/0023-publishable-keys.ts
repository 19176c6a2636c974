import type { Migration } from './migration.ts';

/** Adds publishable keys, and the publishable key of each grant, call and usage record. */
export const publishableKeys: Migration = {
  version: 23,
  name: 'publishable-keys',
  statements: [
    `create table {schema}.publishable_keys (
      id uuid primary key,
      org_id uuid not null,
      name text not null,
      key text not null,
      agents json not null,
      origins json not null,
      variables json not null,
      calls_per_minute bigint not null,
      calls_per_minute_per_address bigint not null,
      minutes_per_day bigint not null,
      max_call_seconds bigint not null,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint publishable_keys_key_key unique (key)
    )`,
    'create index publishable_keys_newest on {schema}.publishable_keys (org_id, created_at desc, id desc)',
    'alter table {schema}.web_call_grants add publishable_key_id uuid, add origin text',
    `create index web_call_grants_publishable_key_id
      on {schema}.web_call_grants (org_id, publishable_key_id, created_at desc, id desc)
      where publishable_key_id is not null`,
    'alter table {schema}.calls add publishable_key_id uuid, add reserved_seconds bigint',
    `create index calls_publishable_key_id
      on {schema}.calls (org_id, publishable_key_id, created_at desc, id desc) where publishable_key_id is not null`,
    'alter table {schema}.usage_logs add publishable_key_id uuid',
    `create index usage_logs_publishable_key_id
      on {schema}.usage_logs (org_id, publishable_key_id, created_at desc, id desc)
      where publishable_key_id is not null`,
  ],
};
