import type { Insertable, Selectable } from 'kysely';
import { storable } from '../storable.ts';
import type { Table } from './database.ts';

/** A record as parameters of a statement: objects and lists as JSON text. */
export function toRow<T extends object>(record: T): Pick<Insertable<Table<T>>, keyof T & keyof Insertable<Table<T>>> {
  const entries = Object.entries(storable(record)).map(([key, value]) => [
    key,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The record of a row. A host's own pool may give instants as texts, so they are read either way. */
export function fromRow<T extends object>(row: Partial<Selectable<Table<T>>>): T {
  const entries = Object.entries(row).map(([key, value]) => [
    key,
    key.endsWith('_at') && value !== null ? new Date(value as string | Date).toISOString() : value,
  ]);
  return Object.fromEntries(entries) as T;
}

export function fromRowOrNull<T extends object>(row: Partial<Selectable<Table<T>>> | undefined): T | null {
  return row === undefined ? null : fromRow<T>(row);
}
