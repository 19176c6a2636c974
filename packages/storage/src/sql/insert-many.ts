import { type StoredRecord, storable } from '@va/core';
import { type RawBuilder, sql } from 'kysely';
import { slot } from './statements.ts';
import { type Table, valueIn } from './table.ts';

export interface InsertManyInput {
  readonly orgId: string;
  /** A list of rows in JSON: one parameter, and one statement, whatever their number. */
  readonly rows: string;
}

export function toRowsJson(table: Table, records: readonly StoredRecord[]): string {
  const rows = records.map((record) =>
    Object.fromEntries(table.columns.map(({ name }) => [name, valueIn(record, name) ?? null])),
  );
  return JSON.stringify(storable(rows));
}

/** Inserts in the order of the list, and returns the ids of those that violated no unique constraint. */
export function insertManySql(table: Table): RawBuilder<unknown> {
  const { schema, sql: name, columns, columnList } = table;
  const types = sql.join(columns.map((column) => sql`${column.sql} ${sql.raw(columnTypes[column.kind])}`));
  const rows = sql`json_to_recordset(${slot<InsertManyInput>((input) => input.rows)}::json) as (${types})`;
  const owner = schema.ownsItself ? sql`` : sql`org_id, `;
  const orgId = schema.ownsItself ? sql`` : sql`${slot<InsertManyInput>((input) => input.orgId)}::uuid, `;
  return sql`insert into ${name} (${owner}${columnList})
    select ${orgId}${columnList} from rows from (${rows}) with ordinality as given (${columnList}, ordinality)
    order by ordinality on conflict do nothing returning id`;
}

const columnTypes = {
  uuid: 'uuid',
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  json: 'json',
} as const;
