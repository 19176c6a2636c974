import { sql } from 'kysely';
import { type Compilable, expressions as eb } from './database.ts';
import { type Conditions, conditionsSql } from './filter.ts';
import { slot } from './statements.ts';
import type { Table } from './table.ts';
import { isOnTime, isWithin, splitTime } from './time-conditions.ts';
import type { TimeRange } from './time-range.ts';

interface DaySumsInput {
  readonly orgId: string;
  readonly filter: Conditions;
  readonly limit: number;
}

/** Dimensions of the table `call_statistics_days`, beside the time. */
const dimensions = ['day', 'agent_id', 'campaign_id', 'direction', 'end_reason'];

/**
 * Returns a query for sums over an organization's call statistics in groups that reads the sums of whole days, which
 * triggers keep (see the migration), and single rows for the partial days at the ends of a time range only. Returns
 * null when the filter or the groups have other fields than the summed dimensions.
 */
export function daySumsQuery(
  { db, columns, name }: Table,
  { by, sums }: { readonly by: readonly string[]; readonly sums: readonly string[] },
  filter: Conditions,
): Compilable | null {
  const split = filter.anyOf === null ? splitTime(filter) : null;
  if (split === null) return null;
  const { range, others } = split;
  const isSummed =
    others.every(({ column }) => dimensions.includes(column.name)) &&
    by.every((field) => dimensions.includes(field)) &&
    sums.every((field) => columns.some((column) => column.name === field));
  if (!isSummed) return null;

  const matching = eb.and([
    eb(
      'org_id',
      '=',
      slot<DaySumsInput, string>(({ orgId }) => orgId),
    ),
    ...conditionsSql<DaySumsInput>(others, ({ filter: { where } }) => where.filter((each) => !isOnTime(each))),
  ]);
  const groups = by.map((field) => sql.ref(field));
  const fields = sums.map((field) => sql<number>`coalesce(${sql.ref(field)}, 0)`.as(field));

  const days = db
    .selectFrom('call_statistics_days')
    .select(by.map((field) => sql.ref(field).as(field)))
    .select(['calls', ...fields])
    .where(matching)
    .where(range === null ? sql.lit(true) : isWithin('created_on', 'firstDay', 'endDay'));
  const single = (from: keyof TimeRange, before: keyof TimeRange) =>
    db
      .selectFrom(name)
      .select(by.map((field) => sql.ref(field).as(field)))
      .select([sql<number>`1`.as('calls'), ...fields])
      .where(matching)
      .where(isWithin('created_at', from, before));
  const parts = range === null ? [days] : [days, single('from', 'morning'), single('evening', 'before')];
  const query = sql`select ${sql.join([
    ...groups,
    sql`sum(calls) as count`,
    ...sums.map((field) => sql`sum(${sql.ref(field)}) as ${sql.id(field)}`),
  ])}
    from (${sql.join(parts, sql` union all `)}) as parts
    group by ${sql.join(groups)} having sum(calls) <> 0 order by count desc
    limit ${slot<DaySumsInput, number>(({ limit }) => limit)}`;
  return { compile: () => query.compile(db) };
}
