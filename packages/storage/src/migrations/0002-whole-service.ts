import type { Migration } from './migration.ts';

const countedBy = 'org_id, period, first_day, agent_id, number_id, campaign_id, direction, status, end_reason';

/**
 * Returns a query of the ended calls of a table, with their time in UTC and the change of the counts by each: 1 or -1.
 */
function over(table: string, change: string): string {
  return `select *, created_at at time zone 'UTC' as created, ${change} as change
    from ${table} where status in ('ended', 'failed')`;
}

/** Returns a statement that adds changes to the counts of the day, of the month and of all time. */
function count(changes: string): string {
  return `insert into {schema}.call_counts as counted
    select ${countedBy}, sum(change)
    from (${changes}) as changes cross join lateral (
      values ('day', created::date), ('month', date_trunc('month', created)::date), ('all', '-infinity'::date)
    ) as periods (period, first_day)
    group by ${countedBy} having sum(change) <> 0 order by ${countedBy}
    on conflict on constraint call_counts_key do update set calls = counted.calls + excluded.calls`;
}

/** Adds the other collections, the references between them, and counts of ended calls. */
export const wholeService: Migration = {
  version: 2,
  name: 'whole-service',
  statements: [
    `alter table {schema}.organizations
      add minutes_balance double precision,
      add local_models_approved boolean not null default false,
      add concurrency_limit bigint`,
    `alter table {schema}.agents
      alter max_duration_seconds type bigint,
      alter silence_timeout_seconds type bigint`,

    `create table {schema}.sip_trunks (
      id uuid primary key,
      org_id uuid not null,
      name text not null,
      provider text not null,
      address text not null,
      auth_username text,
      auth_password_secret_id uuid,
      numbers json not null,
      transport text not null,
      is_active boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      unique (org_id, id)
    )`,
    'create index sip_trunks_newest on {schema}.sip_trunks (org_id, created_at desc, id desc)',

    // No trunks existed before, so no number can refer to one.
    'update {schema}.phone_numbers set transfer_trunk_id = null where transfer_trunk_id is not null',
    `alter table {schema}.phone_numbers
      add unique (org_id, id),
      add constraint phone_numbers_transfer_trunk_id_fkey foreign key (org_id, transfer_trunk_id)
        references {schema}.sip_trunks (org_id, id) on delete set null (transfer_trunk_id)`,
    'create index phone_numbers_transfer_trunk on {schema}.phone_numbers (org_id, transfer_trunk_id)',

    `create table {schema}.tool_templates (
      id uuid primary key,
      org_id uuid not null,
      name text not null,
      description text,
      tool_type text not null,
      tool_config json not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`,
    'create index tool_templates_newest on {schema}.tool_templates (org_id, created_at desc, id desc)',

    `create table {schema}.analysis_templates (
      id uuid primary key,
      org_id uuid not null,
      name text not null,
      description text,
      system_prompt text not null,
      user_prompt text not null,
      schema json not null,
      is_active boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`,
    'create index analysis_templates_newest on {schema}.analysis_templates (org_id, created_at desc, id desc)',

    `create table {schema}.byok_keys (
      id uuid primary key,
      org_id uuid not null,
      provider text not null,
      secret_id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint byok_keys_provider_key unique (org_id, provider)
    )`,

    `create table {schema}.secrets (
      id uuid primary key,
      org_id uuid not null,
      key_id text not null,
      nonce text not null,
      ciphertext text not null,
      created_at timestamptz(3) not null
    )`,

    `create table {schema}.mail_domains (
      id uuid primary key,
      org_id uuid not null constraint mail_domains_organization_key unique,
      domain_name text not null constraint mail_domains_domain_name_key unique,
      provider text not null,
      provider_domain_id text,
      status text not null,
      region text,
      records json not null,
      is_ours boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      verified_at timestamptz(3)
    )`,

    `create table {schema}.campaigns (
      id uuid primary key,
      org_id uuid not null,
      name text not null,
      agent_id uuid,
      number_id uuid,
      status text not null,
      status_reason text,
      system_message_template text,
      schedule_start_time text not null,
      schedule_end_time text not null,
      timezone text not null,
      schedule_days json not null,
      start_date text,
      end_date text,
      max_concurrent_calls bigint not null,
      calls_per_minute bigint,
      max_attempts bigint not null,
      retry_delay_seconds bigint not null,
      retry_on json not null,
      total_leads bigint not null,
      completed_leads bigint not null,
      failed_leads bigint not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      unique (org_id, id),
      constraint campaigns_agent_id_fkey foreign key (org_id, agent_id)
        references {schema}.agents (org_id, id) on delete set null (agent_id),
      constraint campaigns_number_id_fkey foreign key (org_id, number_id)
        references {schema}.phone_numbers (org_id, id) on delete set null (number_id)
    )`,
    'create index campaigns_newest on {schema}.campaigns (org_id, created_at desc, id desc)',
    'create index campaigns_of_agent on {schema}.campaigns (org_id, agent_id)',
    'create index campaigns_of_number on {schema}.campaigns (org_id, number_id)',
    `create index campaigns_on_schedule on ` +
      `{schema}.campaigns (created_at, id) where status in ('scheduled', 'running')`,

    `create table {schema}.leads (
      id uuid primary key,
      org_id uuid not null,
      campaign_id uuid not null,
      phone_number text not null,
      unique_number text,
      name text,
      variables json not null,
      status text not null,
      call_id uuid,
      attempts bigint not null,
      last_attempt_at timestamptz(3),
      next_attempt_at timestamptz(3),
      last_end_reason text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint leads_phone_number_key unique (org_id, campaign_id, unique_number),
      constraint leads_campaign_id_fkey foreign key (org_id, campaign_id)
        references {schema}.campaigns (org_id, id) on delete cascade
    )`,
    'create index leads_oldest on {schema}.leads (org_id, created_at, id)',
    'create index leads_of_campaign on {schema}.leads (org_id, campaign_id, created_at, id)',
    `create index leads_to_call on ` +
      `{schema}.leads (campaign_id, next_attempt_at, created_at, id) where status = 'pending'`,

    `create table {schema}.call_events (
      id uuid primary key,
      org_id uuid not null,
      call_id uuid not null,
      seq bigint not null,
      type text not null,
      data json not null,
      created_at timestamptz(3) not null,
      constraint call_events_seq_key unique (org_id, call_id, seq)
    )`,

    `create table {schema}.call_commands (
      id uuid primary key,
      org_id uuid not null,
      call_id uuid not null,
      command_id text not null,
      type text not null,
      command json not null,
      answer json,
      created_at timestamptz(3) not null,
      constraint call_commands_command_id_key unique (org_id, call_id, command_id)
    )`,

    `create table {schema}.webhook_deliveries (
      id uuid primary key,
      org_id uuid not null,
      webhook_id text not null,
      agent_id uuid,
      call_id uuid,
      event text not null,
      url text not null,
      status text not null,
      status_code bigint,
      attempts json not null,
      payload json not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      delivered_at timestamptz(3),
      constraint webhook_deliveries_webhook_id_key unique (org_id, webhook_id)
    )`,
    'create index webhook_deliveries_newest on {schema}.webhook_deliveries (org_id, created_at desc, id desc)',
    `create index webhook_deliveries_of_agent on ` +
      `{schema}.webhook_deliveries (org_id, agent_id, created_at desc, id desc)`,
    'create index webhook_deliveries_of_call on ' +
      '{schema}.webhook_deliveries (org_id, call_id, created_at desc, id desc)',
    `create index webhook_deliveries_by_status on ` +
      `{schema}.webhook_deliveries (org_id, status, created_at desc, id desc)`,
    `create index webhook_deliveries_pending on {schema}.webhook_deliveries (created_at, id) where status = 'pending'`,

    `create table {schema}.usage_logs (
      id uuid primary key,
      org_id uuid not null,
      call_id uuid not null,
      agent_id uuid,
      agent_name text,
      business_name text,
      phone_number text,
      call_type text not null,
      direction text not null,
      duration_seconds bigint not null,
      minutes_used double precision not null,
      cost double precision,
      currency text,
      created_at timestamptz(3) not null,
      constraint usage_logs_call_id_key unique (org_id, call_id)
    )`,
    'create index usage_logs_newest on {schema}.usage_logs (org_id, created_at desc, id desc)',
    'create index usage_logs_of_agent on {schema}.usage_logs (org_id, agent_id, created_at desc, id desc)',

    `create table {schema}.idempotency_keys (
      id uuid primary key,
      org_id uuid not null,
      scope text not null,
      key text not null,
      fingerprint text not null,
      leased_until timestamptz(3),
      answer json,
      answer_secret_id uuid,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      constraint idempotency_keys_key_key unique (org_id, scope, key)
    )`,
    'create index idempotency_keys_expiry on {schema}.idempotency_keys (expires_at)',

    'alter table {schema}.calls alter duration_seconds type bigint',
    'drop index {schema}.calls_live',
    `create index calls_live on {schema}.calls (org_id, status) where status not in ('ended', 'failed')`,
    'drop index {schema}.calls_of_caller',
    'drop index {schema}.calls_of_assistant',
    'create index calls_of_caller on {schema}.calls (org_id, caller_phone, created_at desc, id desc)',
    'create index calls_of_assistant on {schema}.calls (org_id, assistant_phone, created_at desc, id desc)',
    'create index calls_by_status on {schema}.calls (org_id, status, created_at desc, id desc)',
    'create index calls_by_end_reason on {schema}.calls (org_id, end_reason, created_at desc, id desc)',
    'create index calls_by_direction on {schema}.calls (org_id, direction, created_at desc, id desc)',

    // Counts of ended calls, so that a count need not read the calls. An ended call stays ended, so that its end
    // changes the counts only once.
    `create table {schema}.call_counts (
      org_id uuid not null,
      period text not null,
      first_day date not null,
      agent_id uuid,
      number_id uuid,
      campaign_id uuid,
      direction text not null,
      status text not null,
      end_reason text,
      calls bigint not null,
      constraint call_counts_key
        unique nulls not distinct (${countedBy})
    ) with (fillfactor = 70)`,

    // Runs once per statement, in the order of the key, so that two statements that change the same counts wait for
    // each other without a deadlock.
    `create function {schema}.count_calls() returns trigger language plpgsql as $body$
      begin
        if tg_op = 'INSERT' then ${count(over('added', '1'))};
        elsif tg_op = 'DELETE' then ${count(over('removed', '-1'))};
        else ${count(`${over('added', '1')} union all ${over('removed', '-1')}`)};
        end if;
        return null;
      end
    $body$`,
    `create trigger calls_are_counted_when_inserted after insert on {schema}.calls
      referencing new table as added for each statement execute function {schema}.count_calls()`,
    `create trigger calls_are_counted_when_updated after update on {schema}.calls
      referencing old table as removed new table as added for each statement execute function {schema}.count_calls()`,
    `create trigger calls_are_counted_when_deleted after delete on {schema}.calls
      referencing old table as removed for each statement execute function {schema}.count_calls()`,
    count(over('{schema}.calls', '1')),
  ],
};
