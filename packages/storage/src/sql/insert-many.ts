import type { Owned, StoredRecord } from '@va/core';
import { type RawBuilder, sql } from 'kysely';
import { slot } from './statements.ts';
import { type Column, type Table, valueIn } from './table.ts';

export interface InsertManyInput {
  /** Null where each row has its own. */
  readonly orgId: string | null;
  /** The owners of the rows, or null where they have one. */
  readonly owners: string | null;
  /** An array for each column of the table: as many parameters, and one statement, whatever the number of rows. */
  readonly arrays: readonly string[];
}

/** No record has a field of this name. */
const ownerField = 'owner_id';

export function toInput(table: Table, orgId: string, records: readonly StoredRecord[]): InsertManyInput {
  return { orgId, owners: null, arrays: toArrays(table, records) };
}

export function toOwnedInput(table: Table, owned: readonly Owned<StoredRecord>[]): InsertManyInput {
  const records = owned.map(({ record }) => record);
  const owners = `{${owned.map(({ orgId }) => quoted(orgId)).join(',')}}`;
  return { orgId: null, owners, arrays: toArrays(table, records) };
}

/**
 * Inserts in the order of the list, and returns the ids of those that violated no unique constraint. Arrays cost the server half of what
 * JSON with the names of the columns in each row does.
 */
export function insertManySql(table: Table, owners: 'one' | 'of each row'): RawBuilder<unknown> {
  const { schema, sql: name, columns, columnList } = table;
  const isOne = owners === 'one';
  const arrays = columns.map(
    ({ kind }, index) => sql`${slot<InsertManyInput>((input) => input.arrays[index])}::${sql.raw(arrayTypes[kind])}`,
  );
  const own = sql.id(ownerField);
  const ownArray = isOne ? sql`` : sql`, ${slot<InsertManyInput>((input) => input.owners)}::uuid[]`;
  const ownName = isOne ? sql`` : sql`, ${own}`;
  const values = sql.join(columns.map((column) => (column.kind === 'json' ? sql`${column.sql}::json` : column.sql)));
  const given = isOne ? sql`${slot<InsertManyInput>((input) => input.orgId)}::uuid` : own;
  const [owner, orgId] = schema.ownsItself ? [sql``, sql``] : [sql`org_id, `, sql`${given}, `];
  return sql`insert into ${name} (${owner}${columnList})
    select ${orgId}${values}
    from unnest(${sql.join(arrays)}${ownArray}) with ordinality as given (${columnList}${ownName}, ordinality)
    order by ordinality on conflict do nothing returning id`;
}

/** The ids of those that were inserted, in the order of the list. */
export function insertedOf(records: readonly StoredRecord[], rows: readonly { readonly id?: unknown }[]): string[] {
  const inserted = new Set(rows.map(({ id }) => id));
  // Of two records with one id, the first is the one that was stored.
  return records.flatMap(({ id }) => (inserted.delete(id) ? [id] : []));
}

function toArrays({ columns }: Table, records: readonly StoredRecord[]): string[] {
  return columns.map((column) => `{${records.map((record) => element(column, record)).join(',')}}`);
}

/** @see PostgreSQL manual, 8.15.6 Array Input and Output Syntax */
function element(column: Column, record: StoredRecord): string {
  const value = column.encode(valueIn(record, column.name));
  if (value === null) return 'null';
  return typeof value === 'string' ? quoted(value) : String(value);
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

/** JSON is cast where it is inserted. */
const arrayTypes = {
  uuid: 'uuid[]',
  text: 'text[]',
  integer: 'bigint[]',
  number: 'double precision[]',
  boolean: 'boolean[]',
  timestamp: 'timestamptz[]',
  json: 'text[]',
} as const;
