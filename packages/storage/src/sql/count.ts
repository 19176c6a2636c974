import { type RawBuilder, sql } from 'kysely';
import { countCallsSql } from './count-calls.ts';
import { type Conditions, conditionsSql, filterSql } from './filter.ts';
import { and, slot } from './statements.ts';
import type { Table } from './table.ts';

export interface CountInput {
  readonly orgId: string;
  readonly filter: Conditions;
}

/** One row with the exact `count`. */
export function countSql(table: Table, filter: Conditions): RawBuilder<unknown> {
  const rolledUp = table.schema.name === 'calls' ? countCallsSql(table, filter) : null;
  return rolledUp ?? countRowsSql(table, filter);
}

function countRowsSql({ sql: name, owner }: Table, filter: Conditions): RawBuilder<unknown> {
  const all = conditionsSql<CountInput>(filter.where, (input) => input.filter.where);
  const ofOrg = sql`select count(*) from ${name} where ${owner} = ${slot<CountInput>((input) => input.orgId)}`;
  const alternative = (index: number): RawBuilder<unknown>[] =>
    conditionsSql<CountInput>(filter.anyOf?.[index] ?? [], (input) => input.filter.anyOf?.[index] ?? []);
  if (filter.anyOf?.length !== 2) {
    return sql`select (${ofOrg} and ${filterSql<CountInput>(filter, (input) => input.filter)}) as count`;
  }
  // Each alternative is counted in its own index, and what both have is taken off again.
  const [one, other] = [alternative(0), alternative(1)];
  return sql`select (${ofOrg} and ${and([...all, ...one])}) + (${ofOrg} and ${and([...all, ...other])})
    - (${ofOrg} and ${and([...all, ...one, ...other])}) as count`;
}
