import {
  type CollectionSchema,
  type FieldKind,
  type FieldSchema,
  JsonText,
  type StoredRecord,
  storable,
} from '@va/core';
import { type RawBuilder, sql } from 'kysely';

export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  readonly sql: RawBuilder<unknown>;
  /** A record's value as the parameter of a statement. */
  encode(value: unknown): unknown;
}

/** What statements on a collection are made of. */
export class Table {
  readonly schema: CollectionSchema;
  readonly sql: RawBuilder<unknown>;
  readonly columns: readonly Column[];
  /** Named one by one, so that a column added by a later version stays out of the records of this one. */
  readonly columnList: RawBuilder<unknown>;
  /** Where calls that are over are counted. */
  readonly callCounts: RawBuilder<unknown>;
  /** The column with the organization. */
  readonly owner: RawBuilder<unknown>;
  readonly #byName: ReadonlyMap<string, Column>;

  constructor(databaseSchema: string, schema: CollectionSchema) {
    this.schema = schema;
    this.sql = sql.id(databaseSchema, schema.table);
    this.columns = schema.fields.map((field) => ({
      name: field.name,
      kind: field.kind,
      sql: sql.id(field.name),
      encode: (value) => encode(field, value),
    }));
    this.columnList = sql.join(this.columns.map((column) => column.sql));
    this.callCounts = sql.id(databaseSchema, 'call_counts');
    this.owner = sql.id(schema.ownsItself ? 'id' : 'org_id');
    this.#byName = new Map(this.columns.map((column) => [column.name, column]));
  }

  /** Throws `TypeError` where there is none of this name. */
  column(name: string): Column {
    const column = this.#byName.get(name);
    if (column === undefined) throw new TypeError(`The records of ${this.schema.name} have no field ${name}.`);
    return column;
  }

  /** The columns that changes replace. */
  changed(changes: object): Column[] {
    return this.columns.filter(
      ({ name }) => name !== 'id' && name !== 'created_at' && valueIn(changes, name) !== undefined,
    );
  }
}

export function valueIn(record: object, field: string): unknown {
  return Reflect.get(record, field);
}

function encode({ kind }: FieldSchema, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return encodeJson(value);
  return typeof value === 'string' ? storable(value) : value;
}

/** JSON escapes what no database can keep; only then is the value walked through. */
export function encodeJson(value: unknown): string {
  const text = value instanceof JsonText ? value.toString() : JSON.stringify(value);
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(storable(value)) : text;
}

/** The record of a row that has all of the table's columns. */
export function toRecord<R extends StoredRecord>(row: Readonly<Record<string, unknown>>): R {
  return row as unknown as R;
}
