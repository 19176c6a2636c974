import type { CollectionAcross, CollectionName, Filter, Owned, StoredRecord } from '@va/core/adapter';
import { insertUntaken, type Run } from './collection.ts';
import { filterTest } from './matching.ts';
import { compare, comparePlaces, type Row, toRecord, toSomeValues, toValues } from './row.ts';
import type { Table } from './table.ts';

export function memoryAcross<R extends StoredRecord>(run: Run, name: CollectionName): CollectionAcross<R> {
  const toOwned = (table: Table, { orgId, values }: Row): Owned<R> => ({
    orgId,
    record: toRecord<R>(table.schema, values),
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

function lowest<R extends StoredRecord>(table: Table, filter: Filter<R>, limit: number, orderBy: string): Row[] {
  const test = filterTest(table.schema, filter);
  const rows = [...table.candidatesAcross(filter.where ?? {})].filter(({ values }) => test(values));
  const byField = (a: Row, b: Row): number => compare(a.values[orderBy] ?? null, b.values[orderBy] ?? null);
  return rows.sort((a, b) => byField(a, b) || comparePlaces(a.values, b.values)).slice(0, limit);
}
