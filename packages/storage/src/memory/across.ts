import type { CollectionAcross, CollectionName, Filter, Owned, StoredRecord } from '@va/core/adapter';
import { insertUntaken, type RunStep } from './collection.ts';
import { filterTest } from './matching.ts';
import { compare, comparePlaces, decodeRecord, type MemoryRow, toSomeValues, toValues } from './row.ts';
import type { MemoryTable } from './table.ts';

/** Returns the verbs on the records of all organizations. */
export function memoryAcross<R extends StoredRecord>(run: RunStep, name: CollectionName): CollectionAcross<R> {
  const toOwned = (table: MemoryTable, { orgId, values }: MemoryRow): Owned<R> => ({
    orgId,
    record: decodeRecord<R>(table.schema, values),
  });

  return {
    insertMany: (owned) =>
      run((db) => {
        const table = db.table(name);
        const rows = owned.map(({ orgId, record }) => ({ orgId, values: toValues(table.schema, record) }));
        return insertUntaken(db, table, rows);
      }),

    find: (filter, limit, orderBy = 'created_at') =>
      run((db) => {
        const table = db.table(name);
        return lowest(table, filter, limit, orderBy).map((row) => toOwned(table, row));
      }),

    claim: ({ filter, changes, limit, orderBy = 'created_at' }) =>
      run((db) => {
        const table = db.table(name);
        const values = toSomeValues(table.schema, changes);
        return lowest(table, filter, limit, orderBy).map((row) => toOwned(table, db.update(table, row, values)));
      }),

    purge: (filter, limit) =>
      run((db) => {
        const table = db.table(name);
        const purged = lowest(table, filter, limit, 'created_at');
        for (const row of purged) db.delete(table, row);
        return purged.length;
      }),
  };
}

/** Returns the matching rows with the lowest values of a field. */
function lowest<R extends StoredRecord>(
  table: MemoryTable,
  filter: Filter<R>,
  limit: number,
  orderBy: string,
): MemoryRow[] {
  const test = filterTest(table.schema, filter);
  const rows = [...table.candidatesAcross(filter.where ?? {})].filter(({ values }) => test(values));
  const byField = (a: MemoryRow, b: MemoryRow): number => compare(a.values[orderBy] ?? null, b.values[orderBy] ?? null);
  return rows.sort((a, b) => byField(a, b) || comparePlaces(a.values, b.values)).slice(0, limit);
}
