import { type RawBuilder, sql } from 'kysely';
import type { CountInput } from './count.ts';
import { type Condition, type Conditions, conditionsSql } from './filter.ts';
import { and, slot } from './statements.ts';
import type { Table } from './table.ts';

/** What the table `call_counts` counts by, beside the day. */
const dimensions = ['agent_id', 'number_id', 'campaign_id', 'direction', 'status', 'end_reason'];

/**
 * Counts an organization's calls without reading them: those that are over have been counted by day as they ended (see the
 * migration), and of the live ones there are few. Of the days that a range of time cuts, the calls themselves are counted.
 * Null where the filter asks for what was not counted by.
 */
export function countCallsSql(table: Table, { where, anyOf }: Conditions): RawBuilder<unknown> | null {
  if (anyOf !== null) return null;
  const range = where.find(({ column }) => column.name === 'created_at');
  if (range !== undefined && !['gte', 'lt', 'gte and lt'].includes(range.test)) return null;
  const others = where.filter((condition) => condition !== range);
  if (!others.every(({ column }) => dimensions.includes(column.name))) return null;

  const ofOrg = sql`org_id = ${slot<CountInput>(({ orgId }) => orgId)}`;
  const matches = and([ofOrg, ...conditionsSql<CountInput>(others, ({ filter }) => filter.where.filter(isDimension))]);
  const bound = (name: keyof Bounds): RawBuilder<unknown> => slot<CountInput>(({ filter }) => boundsOf(filter)[name]);
  const inRange = (from: keyof Bounds, before: keyof Bounds): RawBuilder<unknown> =>
    sql`created_at >= ${bound(from)} and created_at < ${bound(before)}`;

  const live = sql`select count(*) from ${table.sql}
    where ${matches} and status in ('queued', 'connecting', 'in-progress')`;
  const counted = sql`select coalesce(sum(calls), 0)::bigint from ${table.callCounts} where ${matches}`;
  if (range === undefined) return sql`select (${live}) + (${counted}) as count`;

  const over = sql`select count(*) from ${table.sql} where ${matches} and status in ('ended', 'failed')`;
  return sql`select (${live} and ${inRange('from', 'before')})
    + (${counted} and day >= ${bound('firstDay')}::date and day < ${bound('endDay')}::date)
    + (${over} and ${inRange('from', 'morning')})
    + (${over} and ${inRange('evening', 'before')}) as count`;
}

function isDimension({ column }: Condition): boolean {
  return column.name !== 'created_at';
}

/** A half-open range of time, and the whole days in it: what lies before `morning` and from `evening` on is in no whole day. */
interface Bounds {
  readonly from: string;
  readonly before: string;
  readonly firstDay: string;
  readonly endDay: string;
  readonly morning: string;
  readonly evening: string;
}

function boundsOf({ where }: Conditions): Bounds {
  const range = where.find((condition) => !isDimension(condition));
  const [first, second] = (range?.values ?? []).map(String);
  const from = range?.test === 'lt' ? '-infinity' : (first ?? '-infinity');
  const before = (range?.test === 'lt' ? first : second) ?? 'infinity';
  const firstDay = from === '-infinity' ? from : day(from, Math.ceil);
  const endDay = before === 'infinity' ? before : day(before, Math.floor);
  const isWithinDays = from === '-infinity' || before === 'infinity' || firstDay <= endDay;
  if (!isWithinDays)
    return { from, before, firstDay: 'infinity', endDay: '-infinity', morning: before, evening: before };
  return { from, before, firstDay, endDay, morning: midnight(firstDay), evening: midnight(endDay) };
}

const dayMs = 86_400_000;

function day(instant: string, round: (days: number) => number): string {
  const days = round(Date.parse(instant) / dayMs);
  const isPastFourDigits = days * dayMs > Date.UTC(9999, 11, 31);
  return isPastFourDigits ? 'infinity' : new Date(days * dayMs).toISOString().slice(0, 10);
}

function midnight(dayOrInfinity: string): string {
  return dayOrInfinity.endsWith('infinity') ? dayOrInfinity : `${dayOrInfinity}T00:00:00.000Z`;
}
