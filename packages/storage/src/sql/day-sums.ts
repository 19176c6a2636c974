import { sql } from 'kysely';
import { type Compilable, expressions as eb } from './database.ts';
import { conditionsSql, type ParsedFilter } from './filter.ts';
import { ofOrganization } from './of-organization.ts';
import { slot } from './statements.ts';
import type { Table } from './table.ts';
import { isOnTime, isWithin, splitTime } from './time-conditions.ts';
import type { TimeRange } from './time-range.ts';

interface DaySumsInput {
  readonly orgId: string;
  readonly filter: ParsedFilter;
  readonly limit: number;
}

/** Dimensions of the table `call_statistics_days`, beside the time. */
const dimensions = ['day', 'agent_id', 'campaign_id', 'direction', 'end_reason'];

/**
 * Returns a query for sums over an organization's call statistics, in groups. It reads the sums of whole days, which
 * triggers keep (see the migration), and single rows only for the partial days at the ends of a time range. Returns
 * null when the filter or the groups have other fields than the summed dimensions.
 */
export function daySumsQuery(
  { db, columns, name, owner }: Table,
  { by, sums }: { readonly by: readonly string[]; readonly sums: readonly string[] },
  filter: ParsedFilter,
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
    ofOrganization({ owner }),
    ...conditionsSql<DaySumsInput>(others, ({ filter: { where } }) => where.filter((each) => !isOnTime(each))),
  ]);
  const fields = sums.map((field) => sql<number>`coalesce(${sql.ref(field)}, 0)`.as(field));
  const days = db
    .selectFrom('call_statistics_days')
    .select(['calls', ...by, ...fields])
    .where(matching)
    .where(range === null ? sql.lit(true) : isWithin('created_on', 'firstDay', 'endDay'));
  const single = (from: keyof TimeRange, before: keyof TimeRange) =>
    db
      .selectFrom(name)
      .select([sql<number>`1`.as('calls'), ...by, ...fields])
      .where(matching)
      .where(isWithin('created_at', from, before));
  const parts = range === null ? days : days.unionAll(single('from', 'morning')).unionAll(single('evening', 'before'));
  return db
    .selectFrom(parts.as('parts'))
    .select(by)
    .select(({ fn }) => [fn.sum<number>('calls').as('count'), ...sums.map((field) => fn.sum<number>(field).as(field))])
    .groupBy(by)
    .having(({ eb, fn }) => eb(fn.sum('calls'), '<>', sql.lit(0)))
    .orderBy('count', 'desc')
    .limit(slot<DaySumsInput, number>(({ limit }) => limit));
}
