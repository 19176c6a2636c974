import { type RawBuilder, sql } from 'kysely';
import { countCallsSql } from './count-calls.ts';
import { type Conditions, filterSql } from './filter.ts';
import { slot } from './statements.ts';
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
  const matches = filterSql<CountInput>(filter, (input) => input.filter);
  return sql`select count(*) as count from ${name}
    where ${owner} = ${slot<CountInput>((input) => input.orgId)} and ${matches}`;
}
