import type { Owned, StoredRecord } from '@va/core/adapter';
import { type RawBuilder, sql } from 'kysely';
import type { Compilable } from './database.ts';
import type { RunStatement } from './run.ts';
import { slot } from './statements.ts';
import { type Column, type Table, valueIn } from './table.ts';
import { quoted } from './values.ts';

/** Number of records from which columns with one value in all rows, and columns with equal values, are detected. */
const manyRecords = 100;

interface Input {
  readonly count: number;
  /** Owner of all rows; null if each row has its own. */
  readonly orgId: string | null;
  /** Array literal with the owner of each row; null if all rows have the same. */
  readonly owners: string | null;
  /**
   * For each column an array, or the value that all rows share: the number of parameters does not depend on the rows.
   * Null for a column with the same array as another one.
   */
  readonly values: readonly unknown[];
}

/** Everything that the statement depends on beside the table. */
interface InsertForm {
  readonly owners: 'one' | 'of each row';
  /** Columns with one value in all rows. */
  readonly same: ReadonlySet<Column>;
  /** Columns that equal another column in each row. */
  readonly twins: ReadonlyMap<Column, Column>;
  /** True if the ids are returned only when some rows were left out. */
  readonly isLong: boolean;
}

/** Name of the column with the owners in the list of rows; no record has a field of this name. */
const ownerField = 'owner_id';

/** Inserts the records that violate no unique constraint, in the given order, and returns their ids. */
export async function insertMany(
  run: RunStatement,
  table: Table,
  records: readonly StoredRecord[],
  orgId: string,
): Promise<string[]> {
  return await insert(run, table, records, { orgId, owners: null });
}

/** Inserts records of several organizations as `insertMany` does. */
export async function insertOwned(
  run: RunStatement,
  table: Table,
  owned: readonly Owned<StoredRecord>[],
): Promise<string[]> {
  const records = owned.map(({ record }) => record);
  const owners = `{${owned.map(({ orgId }) => quoted(orgId)).join(',')}}`;
  return await insert(run, table, records, { orgId: null, owners });
}

async function insert(
  run: RunStatement,
  table: Table,
  records: readonly StoredRecord[],
  owner: Pick<Input, 'orgId' | 'owners'>,
): Promise<string[]> {
  const isLong = records.length >= manyRecords;
  const same = new Set(isLong ? table.columns.filter((column) => isSame(column, records)) : []);
  const twins = isLong ? twinsOf(table, records, same) : new Map<Column, Column>();
  const owners = owner.owners === null ? 'one' : 'of each row';
  const names = [...same].map(({ name }) => name).join();
  const pairs = [...twins].map(([{ name }, other]) => `${name}=${other.name}`).join();
  const form = { owners, same, twins, isLong } as const;
  const { rows } = await run<Input>({
    shape: `${table.schema.name}.insertMany ${owners} ${isLong} ${names} ${pairs}`,
    build: () => insertQuery(table, form),
    input: { ...owner, count: records.length, values: valuesOf(table, records, form) },
  });
  if (!isLong)
    return insertedOf(
      records,
      rows.map(({ id }) => String(id)),
    );
  const ids = rows[0]?.ids;
  return typeof ids === 'string' ? insertedOf(records, ids.split(',')) : records.map(({ id }) => id);
}

/**
 * Returns the statement as raw SQL, because Kysely has no `unnest`, and a list of VALUES has a parameter per value, of
 * which a statement may have 65,535. Arrays cost the server half of what JSON objects do; a value that all rows share
 * costs nothing.
 */
function insertQuery(table: Table, { owners, same, twins, isLong }: InsertForm): Compilable {
  const { db, databaseSchema, schema, columns, columnNames } = table;
  const name = sql.id(databaseSchema, table.name);
  const columnList = sql.join(columnNames.map((column) => sql.id(column)));
  const own = sql.id(ownerField);
  const valueSlot = (column: Column): RawBuilder<unknown> =>
    slot<Input>(({ values }) => values[columns.indexOf(column)]);
  const varied = columns.filter((column) => !same.has(column) && !twins.has(column));
  const arrays = varied.map((column) => sql`${valueSlot(column)}::${sql.raw(arrayTypes[column.kind])}`);
  const given = varied.map((column) => sql.id(column.name));
  if (owners === 'of each row') {
    arrays.push(sql`${slot<Input>((input) => input.owners)}::uuid[]`);
    given.push(own);
  }
  const values = columns.map((column) => {
    if (same.has(column)) return sql`${valueSlot(column)}::${sql.raw(types[column.kind])}`;
    const source = twins.get(column) ?? column;
    return source.kind === 'json' ? sql`${sql.id(source.name)}::json` : sql.id(source.name);
  });
  const orgId = owners === 'one' ? sql`${slot<Input>((input) => input.orgId)}::uuid` : own;
  const [ownerColumn, ownerValue] = schema.ownsItself ? [sql``, sql``] : [sql`org_id, `, sql`${orgId}, `];
  const inserting = sql`insert into ${name} (${ownerColumn}${columnList})
    select ${ownerValue}${sql.join(values)}
    from unnest(${sql.join(arrays)}) with ordinality as given (${sql.join(given)}, ordinality)
    order by ordinality on conflict do nothing returning id`;
  if (!isLong) return { compile: () => inserting.compile(db) };
  const missing = sql`count(*) < ${slot<Input>((input) => input.count)}::bigint`;
  const query = sql`with inserted as (${inserting})
    select case when ${missing} then coalesce(string_agg(id::text, ','), '') end as ids from inserted`;
  return { compile: () => query.compile(db) };
}

/** Returns the ids of the inserted records, in the order of the list. */
function insertedOf(records: readonly StoredRecord[], ids: readonly string[]): string[] {
  const inserted = new Set(ids);
  // Of two records with one id, the first was stored.
  return records.flatMap(({ id }) => (inserted.delete(id) ? [id] : []));
}

function isSame({ name }: Column, records: readonly StoredRecord[]): boolean {
  const [first] = records;
  if (name === 'id' || first === undefined) return false;
  const value = valueIn(first, name);
  return records.every((record) => valueIn(record, name) === value);
}

/** Returns the columns that equal an earlier one in each row: their array is sent once. */
function twinsOf(
  { columns }: Table,
  records: readonly StoredRecord[],
  same: ReadonlySet<Column>,
): ReadonlyMap<Column, Column> {
  const twins = new Map<Column, Column>();
  const single = columns.filter((column) => !same.has(column));
  for (const [n, column] of single.entries()) {
    const twin = single
      .slice(0, n)
      .find(
        (other) =>
          other.kind === column.kind &&
          !twins.has(other) &&
          records.every((record) => valueIn(record, other.name) === valueIn(record, column.name)),
      );
    if (twin !== undefined) twins.set(column, twin);
  }
  return twins;
}

function valuesOf(
  { columns }: Table,
  records: readonly StoredRecord[],
  { same, twins }: Pick<InsertForm, 'same' | 'twins'>,
): unknown[] {
  const [first] = records;
  return columns.map((column) => {
    if (twins.has(column)) return null;
    if (first !== undefined && same.has(column)) return column.encode(valueIn(first, column.name));
    return `{${records.map((record) => element(column, valueIn(record, column.name))).join(',')}}`;
  });
}

/** @see PostgreSQL manual, 8.15.6 Array Input and Output Syntax */
function element(column: Column, given: unknown): string {
  const value = column.encode(given);
  if (value === null) return 'null';
  if (typeof value !== 'string') return String(value);
  // JSON has no control characters, so its JSON string is valid as an array element, at a third of the cost of
  // `quoted`.
  return column.kind === 'json' ? JSON.stringify(value) : quoted(value);
}

const types = {
  uuid: 'uuid',
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  json: 'json',
} as const;

/** JSON is sent as text and cast when it is inserted. */
const arrayTypes = {
  uuid: 'uuid[]',
  text: 'text[]',
  integer: 'bigint[]',
  number: 'double precision[]',
  boolean: 'boolean[]',
  timestamp: 'timestamptz[]',
  json: 'text[]',
} as const;
