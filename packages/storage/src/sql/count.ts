import { type Expression, type SqlBool, sql } from 'kysely';
import { type CountInput, countCallsQuery } from './count-calls.ts';
import { type Compilable, expressions as eb } from './database.ts';
import { conditionsSql, filterSql, type ParsedFilter } from './filter.ts';
import { ofOrganization } from './of-organization.ts';
import { slot } from './statements.ts';
import type { Table } from './table.ts';

/** Returns the query of one row with the number of matching records, up to `atMost`. */
export function countUpToQuery({ db, name, owner }: Table, filter: ParsedFilter): Compilable {
  const found = db
    .selectFrom(name)
    .select('id')
    .where(eb.and([ofOrganization({ owner }), filterSql<CountInput>(filter, (input) => input.filter)]))
    .limit(slot<CountInput & { atMost: number }, number>((input) => input.atMost));
  return db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
}

/** Returns the query of one row with the exact `count`. */
export function countQuery(table: Table, filter: ParsedFilter): Compilable {
  const rolledUp = table.schema.name === 'calls' ? countCallsQuery(table, filter) : null;
  return rolledUp ?? countRowsQuery(table, filter);
}

function countRowsQuery({ db, name, owner }: Table, filter: ParsedFilter): Compilable {
  const count = (conditions: readonly Expression<SqlBool>[]) =>
    db
      .selectFrom(name)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(eb.and([ofOrganization({ owner }), ...conditions]));
  if (filter.anyOf?.length !== 2) return count([filterSql<CountInput>(filter, (input) => input.filter)]);
  const all = conditionsSql<CountInput>(filter.where, (input) => input.filter.where);
  const [one = [], other = []] = filter.anyOf.map((conditions, index) =>
    conditionsSql<CountInput>(conditions, (input) => input.filter.anyOf?.[index] ?? []),
  );
  // Each alternative is counted in its own index; the rows that match both are subtracted once.
  const union = eb(eb(count([...all, ...one]), '+', count([...all, ...other])), '-', count([...all, ...one, ...other]));
  return db.selectNoFrom(sql<number>`${union}`.as('count'));
}
