import type { Owned, StoredRecord } from '@va/core';
import { type RawBuilder, sql } from 'kysely';
import { slot } from './statements.ts';
import { encodeJson, type Table, valueIn } from './table.ts';

export interface InsertManyInput {
  /** Null where each row has its own. */
  readonly orgId: string | null;
  /** A list of rows in JSON: one parameter, and one statement, whatever their number. */
  readonly rows: string;
}

/** No record has a field of this name. */
const ownerField = 'owner_id';

export function toRowsJson(table: Table, records: readonly StoredRecord[]): string {
  return encodeJson(records.map((record) => toRow(table, record)));
}

export function toOwnedRowsJson(table: Table, owned: readonly Owned<StoredRecord>[]): string {
  return encodeJson(owned.map(({ orgId, record }) => ({ ...toRow(table, record), [ownerField]: orgId })));
}

/** Inserts in the order of the list, and returns the ids of those that violated no unique constraint. */
export function insertManySql(table: Table, owners: 'one' | 'of each row'): RawBuilder<unknown> {
  const { schema, sql: name, columns, columnList } = table;
  const types = sql.join(columns.map((column) => sql`${column.sql} ${sql.raw(columnTypes[column.kind])}`));
  const own = sql.id(ownerField);
  const [ownType, ownName] = owners === 'one' ? [sql``, sql``] : [sql`, ${own} uuid`, sql`, ${own}`];
  const rows = sql`json_to_recordset(${slot<InsertManyInput>((input) => input.rows)}::json) as (${types}${ownType})`;
  const owner = schema.ownsItself ? sql`` : sql`org_id, `;
  const given = owners === 'one' ? sql`${slot<InsertManyInput>((input) => input.orgId)}::uuid` : own;
  const orgId = schema.ownsItself ? sql`` : sql`${given}, `;
  return sql`insert into ${name} (${owner}${columnList})
    select ${orgId}${columnList}
    from rows from (${rows}) with ordinality as given (${columnList}${ownName}, ordinality)
    order by ordinality on conflict do nothing returning id`;
}

/** The ids of those that were inserted, in the order of the list. */
export function insertedOf(records: readonly StoredRecord[], rows: readonly { readonly id?: unknown }[]): string[] {
  const inserted = new Set(rows.map(({ id }) => id));
  // Of two records with one id, the first is the one that was stored.
  return records.flatMap(({ id }) => (inserted.delete(id) ? [id] : []));
}

function toRow(table: Table, record: StoredRecord): Record<string, unknown> {
  return Object.fromEntries(table.columns.map(({ name }) => [name, valueIn(record, name) ?? null]));
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
