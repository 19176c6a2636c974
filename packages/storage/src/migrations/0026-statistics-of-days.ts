import { turnColumns } from './0021-call-statistics.ts';
import type { Migration } from './migration.ts';

const groupedBy = 'org_id, created_on, day, agent_id, campaign_id, direction, end_reason';
const counts = [
  ...['answered', 'duration_seconds', 'turns', 'interruptions', 'tool_calls', 'failed_tools'],
  ...turnColumns,
];
const sums = [...counts, 'cost'];

/**
 * Returns a statement that adds changes to the sums of days, in the order of their key, so that two such statements
 * wait for each other without a deadlock.
 */
function add(changes: string): string {
  return `insert into {schema}.call_statistics_days as summed (${groupedBy}, calls, ${sums.join(', ')})
    select ${groupedBy}, sum(change),
      ${sums.map((column) => `sum(change * coalesce(${column}, 0))`).join(', ')}
    from (${changes}) as changes
      cross join lateral (select (created_at at time zone 'UTC')::date as created_on) as time
    group by ${groupedBy} order by ${groupedBy}
    on conflict on constraint call_statistics_days_key do update set
      ${['calls', ...sums].map((column) => `${column} = summed.${column} + excluded.${column}`).join(', ')}`;
}

const added = 'select *, 1 as change from added';
const removed = 'select *, -1 as change from removed';

/** Adds the sums of the statistics of each day, so that a report does not read a row per call. */
export const statisticsOfDays: Migration = {
  version: 26,
  name: 'statistics-of-days',
  statements: [
    `create table {schema}.call_statistics_days (
      org_id uuid not null,
      created_on date not null,
      day text not null,
      agent_id uuid,
      campaign_id uuid,
      direction text not null,
      end_reason text not null,
      calls bigint not null,
      ${counts.map((column) => `${column} bigint not null`).join(',\n      ')},
      cost double precision not null,
      constraint call_statistics_days_key unique nulls not distinct (${groupedBy})
    ) with (fillfactor = 70)`,
    `create function {schema}.sum_call_statistics() returns trigger language plpgsql as $body$
      begin
        if tg_op = 'INSERT' then ${add(added)};
        elsif tg_op = 'DELETE' then ${add(removed)};
        else ${add(`${added} union all ${removed}`)};
        end if;
        return null;
      end
    $body$`,
    `create trigger call_statistics_are_summed_when_inserted after insert on {schema}.call_statistics
      referencing new table as added for each statement execute function {schema}.sum_call_statistics()`,
    `create trigger call_statistics_are_summed_when_updated after update on {schema}.call_statistics
      referencing old table as removed new table as added
      for each statement execute function {schema}.sum_call_statistics()`,
    `create trigger call_statistics_are_summed_when_deleted after delete on {schema}.call_statistics
      referencing old table as removed for each statement execute function {schema}.sum_call_statistics()`,
    add('select *, 1 as change from {schema}.call_statistics'),
  ],
};
