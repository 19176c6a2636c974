import { type Expression, type SqlBool, sql } from 'kysely';
import type { Compilable } from './database.ts';
import { slot } from './statements.ts';
import type { Table } from './table.ts';

/** Returns the query for sums over records in groups; the groups with the most records come first. */
export function groupSumsQuery(
  table: Table,
  { by, sums }: { readonly by: readonly string[]; readonly sums: readonly string[] },
  where: Expression<SqlBool>,
): Compilable {
  const columns = by.map((field) => table.column(field).name);
  return table.db
    .selectFrom(table.name)
    .select(columns)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      ...sums.map((field) => fn.coalesce(fn.sum(table.column(field).name), sql.lit(0)).as(field)),
    ])
    .where(where)
    .groupBy(columns)
    .orderBy('count', 'desc')
    .limit(slot<{ limit: number }, number>(({ limit }) => limit));
}
