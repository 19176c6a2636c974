import {
  type CollectionSchema,
  type FieldKind,
  type FieldSchema,
  JsonText,
  type StoredRecord,
  storable,
  type TableName,
} from '@va/core/adapter';
import type { QueryBuilder } from './database.ts';

/** A column of a collection's table. */
export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  /** Converts a record's value to the parameter of a statement. */
  encode(value: unknown): unknown;
}

/** Describes a collection's table for building statements on it. */
export class Table {
  readonly schema: CollectionSchema;
  readonly db: QueryBuilder;
  readonly databaseSchema: string;
  readonly name: TableName;
  readonly columns: readonly Column[];
  /** Names of the columns. Selected one by one, so that a column added by a later version stays out of the records. */
  readonly columnNames: readonly string[];
  /** Column with the organization. */
  readonly owner: 'id' | 'org_id';
  readonly #byName: ReadonlyMap<string, Column>;

  constructor(db: QueryBuilder, databaseSchema: string, schema: CollectionSchema) {
    this.schema = schema;
    this.db = db;
    this.databaseSchema = databaseSchema;
    this.name = schema.table;
    this.columns = schema.fields.map((field) => ({
      name: field.name,
      kind: field.kind,
      encode: (value) => encode(field, value),
    }));
    this.columnNames = this.columns.map(({ name }) => name);
    this.owner = schema.ownsItself ? 'id' : 'org_id';
    this.#byName = new Map(this.columns.map((column) => [column.name, column]));
  }

  /** Throws `TypeError` when there is no column of this name. */
  column(name: string): Column {
    const column = this.#byName.get(name);
    if (column === undefined) throw new TypeError(`The records of ${this.schema.name} have no field ${name}.`);
    return column;
  }

  /** Returns the columns of the fields in `changes`, without `id` and `created_at`. */
  changed(changes: object): Column[] {
    return this.columns.filter(
      ({ name }) => name !== 'id' && name !== 'created_at' && valueIn(changes, name) !== undefined,
    );
  }
}

/** Returns the value of a field whose name is known at run time only. */
export function valueIn(record: object, field: string): unknown {
  return Reflect.get(record, field);
}

function encode({ kind }: FieldSchema, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return encodeJson(value);
  return typeof value === 'string' ? storable(value) : value;
}

/**
 * Serializes a value as JSON, and replaces characters that PostgreSQL cannot store. Walks the value only if its JSON
 * has escapes of such characters.
 */
function encodeJson(value: unknown): string {
  const text = value instanceof JsonText ? value.toString() : JSON.stringify(value);
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(storable(value)) : text;
}

/** Returns the record of a row with all columns of its table. */
export function toRecord<R extends StoredRecord>(row: Readonly<Record<string, unknown>>): R {
  return row as unknown as R;
}
