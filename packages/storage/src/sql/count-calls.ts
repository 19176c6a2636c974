import { type RawBuilder, sql } from 'kysely';
import type { CountInput } from './count.ts';
import { type Condition, type Conditions, conditionsSql } from './filter.ts';
import { and, slot } from './statements.ts';
import type { Table } from './table.ts';
import { type TimeRange, timeRange } from './time-range.ts';

/** What the table `call_counts` counts by, beside the time. */
const dimensions = ['agent_id', 'number_id', 'campaign_id', 'direction', 'status', 'end_reason'];

/**
 * Counts an organization's calls without reading them: those that are over have been counted by day, by month and over all
 * time as they ended (see the migration), and of the live ones there are few. Of the days that a range of time cuts, the
 * calls themselves are counted. Null where the filter asks for what was not counted by.
 */
export function countCallsSql(table: Table, { where, anyOf }: Conditions): RawBuilder<unknown> | null {
  if (anyOf !== null) return null;
  const [range, another] = where.filter((condition) => !isDimension(condition));
  if (another !== undefined || (range !== undefined && !['gte', 'lt', 'gte and lt'].includes(range.test))) return null;
  const others = where.filter(isDimension);
  if (!others.every(({ column }) => dimensions.includes(column.name))) return null;

  const ofOrg = sql`org_id = ${slot<CountInput>(({ orgId }) => orgId)}`;
  const matches = and([ofOrg, ...conditionsSql<CountInput>(others, ({ filter }) => filter.where.filter(isDimension))]);
  const calls = sql`select count(*) from ${table.sql} where ${matches}`;
  const live = sql`${calls} and status not in ('ended', 'failed')`;
  const counted = sql`select coalesce(sum(calls), 0)::bigint from ${table.callCounts} where ${matches}`;
  if (range === undefined) return sql`select (${live}) + (${counted} and period = 'all') as count`;

  const bound = (name: keyof TimeRange): RawBuilder<unknown> => slot<CountInput>(({ filter }) => rangeOf(filter)[name]);
  const within = (column: string, from: keyof TimeRange, before: keyof TimeRange): RawBuilder<unknown> =>
    sql`${sql.id(column)} >= ${bound(from)} and ${sql.id(column)} < ${bound(before)}`;
  const over = sql`${calls} and status in ('ended', 'failed')`;
  return sql`select (${live} and ${within('created_at', 'from', 'before')})
    + (${over} and ${within('created_at', 'from', 'morning')})
    + (${counted} and period = 'day' and ${within('first_day', 'firstDay', 'firstMonth')})
    + (${counted} and period = 'month' and ${within('first_day', 'firstMonth', 'endMonth')})
    + (${counted} and period = 'day' and ${within('first_day', 'endMonth', 'endDay')})
    + (${over} and ${within('created_at', 'evening', 'before')}) as count`;
}

function isDimension({ column }: Condition): boolean {
  return column.name !== 'created_at';
}

function rangeOf({ where }: Conditions): TimeRange {
  const range = where.find((condition) => !isDimension(condition));
  const [first, second] = (range?.values ?? []).map(String);
  return range?.test === 'lt' ? timeRange(undefined, first) : timeRange(first, second);
}
