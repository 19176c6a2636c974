import { type Collection, type CollectionName, type StoredRecord, UniqueViolation } from '@va/core/adapter';
import type { MemoryDatabase } from './database.ts';
import { filterTest, whereTest } from './matching.ts';
import { decodeRecord, type MemoryRow, toSomeValues, toValues, type Value } from './row.ts';
import { sumGroups } from './sum-groups.ts';
import { sumItems } from './sum-items.ts';
import { type MemoryTable, walk } from './table.ts';

/** Runs a step on the database without interruption. A step that throws has changed nothing. */
export type RunStep = <T>(step: (db: MemoryDatabase) => T) => Promise<T>;

/** Returns the verbs of a collection on the rows of its table. */
export function memoryCollection<R extends StoredRecord>(run: RunStep, name: CollectionName): Collection<R> {
  const onTable = <T>(step: (table: MemoryTable, db: MemoryDatabase) => T): Promise<T> =>
    run((db) => step(db.table(name), db));

  return {
    insert: (orgId, record) =>
      onTable((table, db) => db.insert(table, { orgId, values: toValues(table.schema, record) })),

    insertMany: (orgId, records) =>
      onTable((table, db) => {
        const rows = records.map((record) => ({ orgId, values: toValues(table.schema, record) }));
        return insertUntaken(db, table, rows);
      }),

    get: (orgId, id) =>
      onTable((table) => {
        const row = table.get(orgId, id);
        return row === undefined ? null : decodeRecord<R>(table.schema, row.values);
      }),

    lock: (orgId, id, expected) =>
      onTable((table) => {
        // One transaction runs at a time, so that every record is locked already.
        const row = expectedRow(table, orgId, id, expected);
        return row === undefined ? null : decodeRecord<R>(table.schema, row.values);
      }),

    list: (orgId, { limit, offset = 0, after, order, ...filter }) =>
      onTable((table) => {
        const test = filterTest(table.schema, filter);
        const rows = table.candidates(orgId, filter.where ?? {});
        const page: R[] = [];
        let skipped = 0;
        for (const { values } of walk(rows, order ?? table.schema.order, after)) {
          if (page.length >= limit) break;
          if (!test(values)) continue;
          if (skipped < offset) skipped += 1;
          else page.push(decodeRecord<R>(table.schema, values));
        }
        return page;
      }),

    count: (orgId, filter, atMost = Number.POSITIVE_INFINITY) =>
      onTable((table) => Math.min(atMost, matching(table, orgId, filter).length)),

    sum: (orgId, fields, filter) =>
      onTable((table) => {
        const rows = matching(table, orgId, filter);
        const sums = fields.map((field) => [field, rows.reduce((sum, { values }) => sum + amount(values[field]), 0)]);
        return Object.fromEntries(sums);
      }),

    sumItems: (orgId, { field, by, sums, limit, ...filter }) =>
      onTable((table) => {
        const rows = matching(table, orgId, filter);
        return sumItems(rows, { field, by, sums, limit });
      }),

    sumGroups: (orgId, { by, sums, limit, ...filter }) =>
      onTable((table) => sumGroups(matching(table, orgId, filter), { by, sums, limit })),

    update: (orgId, id, changes, expected) =>
      onTable((table, db) => {
        const row = expectedRow(table, orgId, id, expected);
        if (row === undefined) return null;
        const after = db.update(table, row, toSomeValues(table.schema, changes));
        return decodeRecord<R>(table.schema, after.values);
      }),

    updateMany: (orgId, filter, changes) =>
      onTable((table, db) => {
        const rows = matching(table, orgId, filter);
        const values = toSomeValues(table.schema, changes);
        for (const row of rows) db.update(table, row, values);
        return rows.length;
      }),

    increment: (orgId, id, amounts, expected) =>
      onTable((table, db) => {
        const row = expectedRow(table, orgId, id, expected);
        if (row === undefined) return null;
        const sums: Record<string, Value> = {};
        for (const [field, added] of Object.entries(toSomeValues(table.schema, amounts))) {
          const value = row.values[field] ?? null;
          sums[field] = value === null ? null : amount(value) + amount(added);
        }
        return decodeRecord<R>(table.schema, db.update(table, row, sums).values);
      }),

    delete: (orgId, id, expected) =>
      onTable((table, db) => {
        const row = expectedRow(table, orgId, id, expected);
        if (row === undefined) return false;
        db.delete(table, row);
        return true;
      }),
  };
}

function matching(table: MemoryTable, orgId: string, filter: object & { readonly where?: object } = {}): MemoryRow[] {
  const test = filterTest(table.schema, filter);
  return table.candidates(orgId, filter.where ?? {}).filter(({ values }) => test(values));
}

function expectedRow(table: MemoryTable, orgId: string, id: string, expected: object = {}): MemoryRow | undefined {
  const row = table.get(orgId, id);
  return row !== undefined && whereTest(table.schema, expected)(row.values) ? row : undefined;
}

/** Inserts the rows that violate no unique constraint, and returns their ids. */
export function insertUntaken(db: MemoryDatabase, table: MemoryTable, rows: readonly MemoryRow[]): string[] {
  return rows.filter((row) => insertUnlessTaken(db, table, row)).map(({ values }) => values.id);
}

function insertUnlessTaken(db: MemoryDatabase, table: MemoryTable, row: MemoryRow): boolean {
  try {
    db.insert(table, row);
    return true;
  } catch (error) {
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}

function amount(value: Value | undefined): number {
  return typeof value === 'number' ? value : 0;
}
