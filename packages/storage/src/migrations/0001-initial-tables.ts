import type { Migration } from './migration.ts';

// `json`, not `jsonb`: it keeps the order of keys, which is the order in which a model fills a tool's parameters.
/** Creates the tables of the first version. */
export const initialTables: Migration = {
  version: 1,
  name: 'initial-tables',
  statements: [
    `create table {schema}.organizations (
      id uuid primary key,
      name text not null,
      plan text not null,
      webhook_url text,
      webhook_secret text,
      created_at timestamptz(3) not null
    )`,

    `create table {schema}.api_keys (
      id uuid primary key,
      org_id uuid not null,
      name text not null,
      scopes json not null,
      hash text not null constraint api_keys_hash_key unique,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      created_at timestamptz(3) not null
    )`,
    'create index api_keys_newest on {schema}.api_keys (org_id, created_at desc, id desc)',

    `create table {schema}.agents (
      id uuid primary key,
      org_id uuid not null,
      name text not null,
      business_name text,
      notification_email text,
      first_message text,
      is_active boolean not null,
      webhook_url text,
      webhook_secret text not null,
      webhook_events json,
      analysis_plan json,
      stt_config json,
      llm_config json,
      tts_config json,
      speech_config json,
      max_duration_seconds integer not null,
      silence_timeout_seconds integer,
      voicemail_detection boolean not null,
      voicemail_message text,
      recording_enabled boolean not null,
      metadata json,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      unique (org_id, id)
    )`,
    'create index agents_newest on {schema}.agents (org_id, created_at desc, id desc)',

    `create table {schema}.phone_numbers (
      id uuid primary key,
      org_id uuid not null,
      number text not null constraint phone_numbers_number_key unique,
      name text,
      agent_id uuid,
      transfer_trunk_id uuid,
      is_active boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint phone_numbers_agent_id_fkey foreign key (org_id, agent_id)
        references {schema}.agents (org_id, id) on delete set null (agent_id)
    )`,
    'create index phone_numbers_newest on {schema}.phone_numbers (org_id, created_at desc, id desc)',
    'create index phone_numbers_agent on {schema}.phone_numbers (org_id, agent_id)',

    `create table {schema}.calls (
      id uuid primary key,
      org_id uuid not null,
      caller_phone text,
      assistant_phone text,
      status text not null,
      error text,
      started_at timestamptz(3),
      answered_at timestamptz(3),
      ended_at timestamptz(3),
      duration_seconds integer,
      summary text,
      analysis_result json,
      messages json not null,
      room_name text not null,
      agent_id uuid,
      number_id uuid,
      agent_name text,
      business_name text,
      phone_number text,
      direction text not null,
      end_reason text,
      recording_url text,
      metadata json,
      variables json,
      campaign_id uuid,
      lead_id uuid,
      transfer_destination text,
      cost double precision,
      latency json,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`,
    'create index calls_newest on {schema}.calls (org_id, created_at desc, id desc)',
    'create index calls_of_agent on {schema}.calls (org_id, agent_id, created_at desc, id desc)',
    'create index calls_of_number on {schema}.calls (org_id, number_id, created_at desc, id desc)',
    `create index calls_of_campaign on {schema}.calls (org_id, campaign_id, created_at desc, id desc)
      where campaign_id is not null`,
    'create index calls_of_caller on {schema}.calls (org_id, caller_phone)',
    'create index calls_of_assistant on {schema}.calls (org_id, assistant_phone)',
    `create index calls_live on {schema}.calls (org_id, status)
      where status in ('queued', 'connecting', 'in-progress')`,
  ],
};
