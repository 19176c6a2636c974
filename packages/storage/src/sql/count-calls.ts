import { type Expression, type SqlBool, sql } from 'kysely';
import { type Compilable, expressions as eb } from './database.ts';
import { conditionsSql, type ParsedFilter } from './filter.ts';
import { ofOrganization } from './of-organization.ts';

import type { Table } from './table.ts';
import { isOnTime, isWithin, splitTime } from './time-conditions.ts';

/** Input of a count statement. */
export interface CountInput {
  readonly orgId: string;
  readonly filter: ParsedFilter;
}

/** Dimensions of the table `call_counts`, beside the time. */
const dimensions = ['agent_id', 'number_id', 'campaign_id', 'direction', 'status', 'end_reason'] as const;

/**
 * Returns a query that counts an organization's calls without reading most of them. Triggers count ended calls by day,
 * by month and over all time (see the migration), and live calls are few. Calls of partial days at the ends of a time
 * range are counted one by one. Returns null when the filter has other conditions than the counted dimensions.
 */
export function countCallsQuery({ db, owner }: Table, filter: ParsedFilter): Compilable | null {
  const split = filter.anyOf === null ? splitTime(filter) : null;
  if (split === null) return null;
  const { range, others } = split;
  if (!others.every(({ column }) => dimensions.some((dimension) => dimension === column.name))) return null;

  const ofOrg = ofOrganization({ owner });
  const matching = eb.and([
    ofOrg,
    ...conditionsSql<CountInput>(others, ({ filter: { where } }) => where.filter((each) => !isOnTime(each))),
  ]);
  // Materialized before the other conditions apply, for which the planner would otherwise read an index of all calls.
  const liveCalls = db
    .selectFrom('calls')
    .select(['org_id', 'created_at', ...dimensions])
    .where(ofOrg)
    .where('status', 'not in', [sql.lit('ended'), sql.lit('failed')]);
  // Raw SQL, because Kysely would put the schema before `live_calls`, which is a table expression of this statement.
  const live = (condition: Expression<SqlBool>): Expression<number> =>
    sql<number>`(select count(*) from live_calls where ${condition})`;
  const over = db
    .selectFrom('calls')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(matching)
    .where('status', 'in', [sql.lit('ended'), sql.lit('failed')]);
  const counted = (period: 'all' | 'day' | 'month') =>
    db
      .selectFrom('call_counts')
      .select(({ fn }) => sql<number>`${fn.coalesce(fn.sum('calls'), sql.lit(0))}::bigint`.as('count'))
      .where(matching)
      .where('period', '=', sql.lit(period));
  const total = (counts: readonly Expression<unknown>[]): Compilable =>
    db
      .with(
        (cte) => cte('live_calls').materialized(),
        () => liveCalls,
      )
      .selectNoFrom(sql<number>`${sql.join([...counts], sql` + `)}`.as('count'));
  if (range === null) return total([live(matching), counted('all')]);

  return total([
    live(eb.and([matching, isWithin('created_at', 'from', 'before')])),
    over.where(isWithin('created_at', 'from', 'morning')),
    counted('day').where(isWithin('first_day', 'firstDay', 'firstMonth')),
    counted('month').where(isWithin('first_day', 'firstMonth', 'endMonth')),
    counted('day').where(isWithin('first_day', 'endMonth', 'endDay')),
    over.where(isWithin('created_at', 'evening', 'before')),
  ]);
}
