import { type CollectionSchema, type FieldSchema, type StoredRecord, storable, VaError } from '@va/core/adapter';

export type SqlValue = string | number | null;

/** A SQLite table of a collection, and the conversion between its rows and records. */
export class Table {
  readonly schema: CollectionSchema;
  /** Quoted name; the columns are quoted too. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly #fields: ReadonlyMap<string, FieldSchema>;

  constructor(schema: CollectionSchema) {
    this.schema = schema;
    this.name = `"${schema.table}"`;
    this.columns = schema.fields.map(({ name }) => `"${name}"`);
    this.#fields = new Map(schema.fields.map((field) => [field.name, field]));
  }

  /** Returns the statements that create the table and its indexes if they do not exist. */
  ddl(tableOf: (name: CollectionSchema['name']) => Table): string[] {
    const { fields, unique, references, indexes, table, order } = this.schema;
    const direction = order === 'newest' ? 'desc' : 'asc';
    const columns = fields.map(
      ({ name, kind, nullable }) => `"${name}" ${columnTypes[kind]}${nullable ? '' : ' not null'}`,
    );
    const foreignKeys = references.map(({ field, to, onDelete }) => {
      const action = onDelete === 'null' ? 'set null' : 'cascade';
      return (
        `foreign key ("${field}") references ${tableOf(to).name} (id) on delete ${action} deferrable ` +
        'initially deferred'
      );
    });
    const listed = [[], ...indexes.map((field) => [`"${field}"`])];
    return [
      `create table if not exists ${this.name} (
        org_id text not null, ${[...columns, 'primary key (id)', ...foreignKeys].join(', ')}
      ) strict`,
      ...unique.map(({ name, fields: of, scope }) => {
        const key = [...(scope === 'organization' ? ['org_id'] : []), ...of.map((field) => `"${field}"`)];
        return `create unique index if not exists "${table}_${name}_key" on ${this.name} (${key.join(', ')})`;
      }),
      ...listed.map((by, n) => {
        const key = ['org_id', ...by, `created_at ${direction}`, `id ${direction}`];
        return `create index if not exists "${table}_list_${n}" on ${this.name} (${key.join(', ')})`;
      }),
    ];
  }

  /**
   * Returns the field of a name.
   * @throws TypeError for an unknown name, which would become part of the SQL
   */
  field(name: string): FieldSchema {
    const field = this.#fields.get(name);
    if (field === undefined) throw new TypeError(`The records of ${this.schema.name} have no field ${name}.`);
    return field;
  }

  /** Returns the fields that changes replace, without those that never change. */
  changed(changes: object): FieldSchema[] {
    return this.schema.fields.filter(
      ({ name }) => !['id', 'created_at'].includes(name) && Reflect.get(changes, name) !== undefined,
    );
  }

  row(orgId: string, record: StoredRecord): SqlValue[] {
    if (this.schema.ownsItself && record.id !== orgId) {
      throw new VaError(
        'foreign_owner',
        `A record of ${this.schema.name} belongs to the organization of its id, not to ${orgId}.`,
      );
    }
    return [orgId, ...this.schema.fields.map((field) => encode(field, Reflect.get(record, field.name)))];
  }

  record<R extends StoredRecord>(row: Readonly<Record<string, SqlValue>>): R {
    const record: Record<string, unknown> = {};
    for (const { name, kind } of this.schema.fields) {
      const value = row[name] ?? null;
      if (value === null) record[name] = null;
      else if (kind === 'json') record[name] = JSON.parse(String(value));
      else record[name] = kind === 'boolean' ? value === 1 : value;
    }
    return record as unknown as R;
  }
}

const columnTypes: Readonly<Record<FieldSchema['kind'], string>> = {
  uuid: 'text',
  text: 'text',
  timestamp: 'text',
  json: 'text',
  integer: 'integer',
  boolean: 'integer',
  number: 'real',
};

export function encode({ kind }: FieldSchema, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(storable(value));
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? value : storable(String(value));
}
