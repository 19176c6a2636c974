import {
  type Collection,
  type CollectionAcross,
  type Owned,
  ReferenceViolation,
  type StoredRecord,
  UniqueViolation,
} from '@va/core/adapter';
import type { Database, Statement } from 'better-sqlite3';
import { filterSql, join, type Sql, whereSql } from './filter.ts';
import { encode, type SqlValue, type Table } from './table.ts';

/** Runs a step in a transaction of its own, or in the one that is open. A step that throws has changed nothing. */
export type Run = <T>(step: (db: Database) => T) => Promise<T>;

type Row = Readonly<Record<string, SqlValue>>;

export function sqliteCollection<R extends StoredRecord>(run: Run, table: Table, tableOf: TableOf): Collection<R> {
  const { name, schema } = table;
  const write: Run = (step) => run((db) => orViolation(table, () => step(db)));
  const ofOrg = (orgId: string): Sql => ({ text: 'org_id = ?', values: [orgId] });
  const inOrg = (orgId: string, filter?: object): Sql => join([ofOrg(orgId), filterSql(table, filter)], ' and ');
  const one = (orgId: string, id: string, expected: object = {}): Sql =>
    join([ofOrg(orgId), { text: 'id = ?', values: [id] }, whereSql(table, expected)], ' and ');

  /** Updates one record by an assignment for each field, and returns it as updated; null if none matches. */
  function updateOne(orgId: string, given: object, where: Sql, assign: (column: string) => string): Promise<R | null> {
    const fields = table.changed(given);
    const set = fields.map((field) => assign(`"${field.name}"`)).join(', ') || 'id = id';
    const values = fields.map((field) => encode(field, Reflect.get(given, field.name)));
    return write((db) => {
      const text = `update ${name} set ${set} where ${where.text} returning *`;
      const row = get(db, { text, values: [...values, ...where.values] });
      if (row === undefined) return null;
      checkReferences(db, table, tableOf, orgId, given);
      return table.record<R>(row);
    });
  }

  return {
    insert: (orgId, record) =>
      write((db) => {
        insert(db, table, orgId, record, '');
        checkReferences(db, table, tableOf, orgId, record);
      }),

    insertMany: (orgId, records) =>
      write((db) => records.filter((record) => insertUntaken(db, table, tableOf, orgId, record)).map(({ id }) => id)),

    get: (orgId, id) =>
      run((db) => {
        const where = one(orgId, id);
        const row = get(db, { ...where, text: `select * from ${name} where ${where.text}` });
        return row === undefined ? null : table.record<R>(row);
      }),

    lock: (orgId, id, expected) =>
      run((db) => {
        // SQLite has one writer at a time: a transaction has locked the whole database.
        const where = one(orgId, id, expected);
        const row = get(db, { ...where, text: `select * from ${name} where ${where.text}` });
        return row === undefined ? null : table.record<R>(row);
      }),

    list: (orgId, { limit, offset = 0, after, order = schema.order, ...filter }) =>
      run((db) => {
        const [direction, behind] = order === 'newest' ? ['desc', '<'] : ['asc', '>'];
        const cursor: Sql[] = after
          ? [{ text: `(created_at, id) ${behind} (?, ?)`, values: [after.created_at, after.id] }]
          : [];
        const where = join([inOrg(orgId, filter), ...cursor], ' and ');
        const text =
          `select * from ${name} where ${where.text} order by created_at ${direction}, id ` +
          `${direction} limit ? offset ?`;
        return all(db, { text, values: [...where.values, limit, offset] }).map((row) => table.record<R>(row));
      }),

    count: (orgId, filter, atMost = -1) =>
      run((db) => {
        const { text: where, values } = inOrg(orgId, filter);
        const text = `select count(*) as n from (select 1 from ${name} where ${where} limit ?)`;
        return Number(get(db, { text, values: [...values, atMost] })?.n);
      }),

    sum: (orgId, fields, filter) =>
      run((db) => {
        const where = inOrg(orgId, filter);
        const sums = fields.map((field) => `coalesce(sum("${table.field(field).name}"), 0) as "${field}"`).join(', ');
        const row = get(db, { ...where, text: `select ${sums} from ${name} where ${where.text}` });
        return Object.fromEntries(fields.map((field) => [field, row?.[field]])) as Record<
          (typeof fields)[number],
          number
        >;
      }),

    sumItems: (orgId, { field, by, sums, limit, ...filter }) =>
      run((db) => {
        const where = inOrg(orgId, filter);
        // Quoted by `->` as JSON, so that booleans stay booleans.
        const groups = by.map((key) => `item.value -> '$.${key}'`);
        const totals = sums.map((key) => `sum(item.value ->> '$.${key}')`);
        const columns = [
          ...groups.map((text, at) => `${text} as g${at}`),
          ...totals.map((text, at) => `${text} as s${at}`),
        ];
        const order = [...totals.slice(0, 1).map((text) => `${text} desc nulls last`), ...groups].join(', ');
        const text =
          `select ${columns.join(', ')} from (select "${table.field(field).name}" as items from ${name} ` +
          `where ${where.text}), json_each(items) as item group by ${groups.join(', ')} order by ${order} limit ?`;
        return all(db, { text, values: [...where.values, limit] }).map((row) =>
          Object.fromEntries([
            ...by.map((key, at) => [key, JSON.parse(String(row[`g${at}`] ?? 'null'))]),
            ...sums.map((key, at) => [key, row[`s${at}`]]),
          ]),
        ) as never[];
      }),

    sumGroups: (orgId, { by, sums, limit, ...filter }) =>
      run((db) => {
        const where = inOrg(orgId, filter);
        const columns = [
          ...by.map((field) => `"${table.field(field).name}"`),
          'count(*) as count',
          ...sums.map((field) => `coalesce(sum("${table.field(field).name}"), 0) as "${field}"`),
        ];
        const group = by.map((_, at) => at + 1).join(', ');
        const text =
          `select ${columns.join(', ')} from ${name} where ${where.text} ` +
          `group by ${group} order by count(*) desc limit ?`;
        return all(db, { text, values: [...where.values, limit] }) as never[];
      }),

    update: (orgId, id, changes, expected) =>
      updateOne(orgId, changes, one(orgId, id, expected), (column) => `${column} = ?`),

    increment: (orgId, id, amounts, expected) =>
      updateOne(orgId, amounts, one(orgId, id, expected), (column) => `${column} = ${column} + ?`),

    updateMany: (orgId, filter, changes) =>
      write((db) => {
        const changed = update(db, table, changes, inOrg(orgId, filter));
        if (changed > 0) checkReferences(db, table, tableOf, orgId, changes);
        return changed;
      }),

    delete: (orgId, id, expected) =>
      run((db) => {
        const where = one(orgId, id, expected);
        return db.prepare(`delete from ${name} where ${where.text}`).run(...where.values).changes > 0;
      }),
  };
}

export type TableOf = (name: Table['schema']['name']) => Table;

export function sqliteAcross<R extends StoredRecord>(run: Run, table: Table, tableOf: TableOf): CollectionAcross<R> {
  const { name } = table;
  const find = (db: Database, filter: object, limit: number, orderBy = 'created_at'): Row[] => {
    const where = filterSql(table, filter);
    const order = `"${table.field(orderBy).name}" asc nulls last, created_at, id`;
    const text = `select * from ${name} where ${where.text} order by ${order} limit ?`;
    return all(db, { text, values: [...where.values, limit] });
  };
  const owned = (row: Row): Owned<R> => ({ orgId: String(row.org_id), record: table.record<R>(row) });

  return {
    insertMany: (owned) =>
      run((db) =>
        owned
          .filter(({ orgId, record }) => insertUntaken(db, table, tableOf, orgId, record))
          .map(({ record }) => record.id),
      ),

    find: (filter, limit, orderBy) => run((db) => find(db, filter, limit, orderBy).map(owned)),

    claim: ({ filter, changes, limit, orderBy = 'created_at' }) =>
      run((db) => {
        const rows = find(db, filter, limit, orderBy);
        for (const { id = null } of rows) update(db, table, changes, { text: 'id = ?', values: [id] });
        const byId = `select * from ${name} where id = ?`;
        return rows.flatMap(({ id = null }) => all(db, { text: byId, values: [id] })).map(owned);
      }),

    purge: (filter, limit) =>
      run((db) => {
        const rows = find(db, filter, limit);
        for (const { id } of rows) db.prepare(`delete from ${name} where id = ?`).run(id);
        return rows.length;
      }),
  };
}

function get(db: Database, { text, values }: Sql): Row | undefined {
  return db.prepare<SqlValue[], Row>(text).get(...values);
}

function all(db: Database, { text, values }: Sql): Row[] {
  return db.prepare<SqlValue[], Row>(text).all(...values);
}

/** Statements whose texts depend on the tables only; those of filters would be too many to keep. */
const statements = new WeakMap<Database, Map<string, Statement<SqlValue[], Row>>>();

/** Returns a statement that is prepared once per database. */
function prepared(db: Database, text: string): Statement<SqlValue[], Row> {
  const known = statements.get(db) ?? new Map<string, Statement<SqlValue[], Row>>();
  statements.set(db, known);
  const statement = known.get(text) ?? db.prepare<SqlValue[], Row>(text);
  known.set(text, statement);
  return statement;
}

function insert(db: Database, table: Table, orgId: string, record: StoredRecord, onConflict: string): number {
  const places = ['?', ...table.columns.map(() => '?')].join(', ');
  const text = `insert into ${table.name} (org_id, ${table.columns.join(', ')}) values (${places}) ${onConflict}`;
  return prepared(db, text).run(...table.row(orgId, record)).changes;
}

/** Inserts a record; returns false if it would violate a unique constraint. */
function insertUntaken(db: Database, table: Table, tableOf: TableOf, orgId: string, record: StoredRecord): boolean {
  if (insert(db, table, orgId, record, 'on conflict do nothing') === 0) return false;
  checkReferences(db, table, tableOf, orgId, record);
  return true;
}

function update(db: Database, table: Table, changes: object, where: Sql): number {
  const fields = table.changed(changes);
  const set = fields.map((field) => `"${field.name}" = ?`).join(', ') || 'id = id';
  const values = fields.map((field) => encode(field, Reflect.get(changes, field.name)));
  return db.prepare(`update ${table.name} set ${set} where ${where.text}`).run(...values, ...where.values).changes;
}

/**
 * Checks that the referenced records belong to the organization, in the same step: foreign keys of SQLite do not
 * compare organizations. The check of the database at the end of the transaction then finds nothing.
 * @throws ReferenceViolation
 */
function checkReferences(db: Database, table: Table, tableOf: TableOf, orgId: string, given: object): void {
  for (const { field, to } of table.schema.references) {
    const id: unknown = Reflect.get(given, field);
    if (typeof id !== 'string') continue;
    const text = `select 1 from ${tableOf(to).name} where org_id = ? and id = ?`;
    if (prepared(db, text).get(orgId, id) === undefined) throw new ReferenceViolation(field);
  }
}

/**
 * Runs a step, and converts the errors of SQLite to `UniqueViolation`. The message `UNIQUE constraint failed:
 * phone_numbers.number` names the columns of the violated index.
 */
function orViolation<T>({ schema }: Table, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY') throw new UniqueViolation('id', { cause: error });
    if (code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
    const columns = /failed: (.*)$/
      .exec(message ?? '')?.[1]
      ?.split(', ')
      .map((column) => column.replace(/^.*\./, ''));
    const violated = schema.unique.find(
      ({ fields, scope }) => String(columns) === String(scope === 'organization' ? ['org_id', ...fields] : fields),
    );
    throw new UniqueViolation(violated?.name ?? String(columns), { cause: error });
  }
}
