import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Compilable } from './database.ts';
import { slot } from './statements.ts';
import type { Table } from './table.ts';

/** A JSON field with an array of items, the keys to group them by, and the keys to add up. */
export interface ItemFields {
  readonly field: string;
  readonly by: readonly string[];
  readonly sums: readonly string[];
}

/**
 * Returns the query for sums over the items of a JSON field, in groups; the groups with the highest first sum come
 * first. Numeric arithmetic makes the sums independent of the order of the records. The items and their keys are
 * raw SQL, because Kysely has no functions that return a set, and expects the keys of JSON at compile time.
 */
export function itemSumsQuery(table: Table, fields: ItemFields, where: Expression<SqlBool>): Compilable {
  const { db, name } = table;
  const { field, by, sums } = fields;
  const items = sql`json_array_elements(${sql.ref(`${name}.${table.column(field).name}`)})`.as<'item'>(
    sql`item(value)`,
  );
  const group = (key: string): RawBuilder<unknown> => sql`nullif((item.value -> ${sql.lit(key)})::jsonb, 'null')`;
  const sum = (key: string): RawBuilder<number> =>
    sql`sum((item.value ->> ${sql.lit(key)})::numeric)::double precision`;
  const [first] = sums;
  const order = first === undefined ? [] : [sql`${sum(first)} desc nulls last`];
  return db
    .selectFrom([name, items])
    .select([...by.map((key) => group(key).as(key)), ...sums.map((key) => sum(key).as(key))])
    .where(where)
    .groupBy(by.map(group))
    .orderBy(sql.join([...order, ...by.map(group)]))
    .limit(slot<{ limit: number }, number>(({ limit }) => limit));
}
