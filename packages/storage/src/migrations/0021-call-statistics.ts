import type { Migration } from './migration.ts';

const bounds = [
  ...[200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_250, 1_500],
  ...[1_750, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500, 10_000],
];
const classes = bounds.map((bound) => `turns_to_${bound}`);
const counts = bounds.map(
  (bound, at) => `count(*) filter (where ms <= ${bound}${at === 0 ? '' : ` and ms > ${bounds[at - 1]}`})`,
);

/** Columns with the number of turns of each class of latency. */
export const turnColumns: readonly string[] = [...classes, 'turns_longer'];

/** Adds a table with one row per ended call, from which statistics are summed, and fills it from the stored calls. */
export const callStatistics: Migration = {
  version: 21,
  name: 'call-statistics',
  statements: [
    `create table {schema}.call_statistics (
      id uuid primary key,
      org_id uuid not null,
      agent_id uuid,
      campaign_id uuid,
      day text not null,
      direction text not null,
      end_reason text not null,
      answered bigint not null,
      duration_seconds bigint not null,
      cost double precision,
      turns bigint not null,
      interruptions bigint not null,
      tool_calls bigint not null,
      failed_tools bigint not null,
      ${turnColumns.map((name) => `${name} bigint not null`).join(',\n      ')},
      created_at timestamptz(3) not null
    )`,
    `insert into {schema}.call_statistics
      select call.id, call.org_id, call.agent_id, call.campaign_id,
        to_char(call.created_at at time zone 'UTC', 'YYYY-MM-DD'), call.direction, call.end_reason,
        (call.answered_at is not null)::int, coalesce(call.duration_seconds, 0), call.cost,
        turn.count, json_array_length(coalesce(call.latency -> 'interruptions_ms', '[]')), tool.count, tool.failed,
        ${turnColumns.map((name) => `turn.${name}`).join(', ')}, call.created_at
      from {schema}.calls as call
      cross join lateral (
        select count(*) as count, ${classes.map((name, at) => `${counts[at]} as ${name}`).join(', ')},
          count(*) filter (where ms > ${bounds.at(-1)}) as turns_longer
        from json_array_elements(coalesce(call.latency -> 'turns', '[]')) as item,
          lateral (select (item.value ->> 'total_ms')::double precision as ms) as latency
      ) as turn
      cross join lateral (
        select count(*) as count, count(*) filter (where event.data ->> 'ok' = 'false') as failed
        from {schema}.call_events as event
        where event.org_id = call.org_id and event.call_id = call.id and event.type = 'tool-result'
      ) as tool
      where call.status in ('ended', 'failed') and call.end_reason is not null`,
    'create index call_statistics_newest on {schema}.call_statistics (org_id, created_at desc, id desc)',
    'create index call_statistics_agent_id on {schema}.call_statistics (org_id, agent_id, created_at desc, id desc)',
    `create index call_statistics_campaign_id on
      {schema}.call_statistics (org_id, campaign_id, created_at desc, id desc)`,
  ],
};
