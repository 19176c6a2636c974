import type { Migration } from './migration.ts';

/** Adds the schedule and counts of campaigns, and the do-not-call list. */
export const campaignsThatDial: Migration = {
  version: 7,
  name: 'campaigns-that-dial',
  statements: [
    `alter table {schema}.campaigns
      add pending_leads bigint not null default 0,
      add calling_leads bigint not null default 0,
      add skipped_leads bigint not null default 0,
      add total_calls bigint not null default 0,
      add answered_calls bigint not null default 0,
      add talk_seconds bigint not null default 0,
      add next_pass_at timestamptz(3),
      add paced_until_ms double precision`,
    // The row of a campaign changes with each call: free space in its page avoids index updates.
    'alter table {schema}.campaigns set (fillfactor = 50)',
    `update {schema}.campaigns set
        total_leads = coalesce(counted.total, 0),
        pending_leads = coalesce(counted.pending, 0),
        calling_leads = coalesce(counted.calling, 0),
        completed_leads = coalesce(counted.completed, 0),
        failed_leads = coalesce(counted.failed, 0),
        skipped_leads = coalesce(counted.skipped, 0),
        next_pass_at = case when each.status in ('scheduled', 'running') then now() end
      from {schema}.campaigns as each left join (
        select campaign_id, count(*) as total,
          count(*) filter (where status = 'pending') as pending,
          count(*) filter (where status = 'calling') as calling,
          count(*) filter (where status = 'completed') as completed,
          count(*) filter (where status = 'failed') as failed,
          count(*) filter (where status = 'skipped') as skipped
        from {schema}.leads group by campaign_id
      ) as counted on counted.campaign_id = each.id
      where campaigns.id = each.id`,
    'drop index {schema}.campaigns_on_schedule',
    `create index campaigns_due on {schema}.campaigns (next_pass_at, created_at, id)
      where status in ('scheduled', 'running', 'cancelled') and next_pass_at is not null`,

    'alter table {schema}.leads add status_reason text',
    // Leads that a process has claimed and not dialed yet: a handful.
    `create index leads_taken on {schema}.leads (next_attempt_at, created_at, id)
      where status = 'calling' and call_id is null`,

    'alter table {schema}.sip_trunks add max_concurrent_calls bigint',

    `create table {schema}.do_not_call (
      id uuid primary key,
      org_id uuid not null,
      phone_number text not null,
      reason text,
      created_at timestamptz(3) not null,
      constraint do_not_call_phone_number_key unique (org_id, phone_number)
    )`,
    'create index do_not_call_newest on {schema}.do_not_call (org_id, created_at desc, id desc)',
  ],
};
