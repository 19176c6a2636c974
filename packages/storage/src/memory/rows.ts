import { type Page, UniqueViolation } from '@va/core';
import { storable } from '../storable.ts';
import type { Owned } from './tables.ts';

interface Identified {
  readonly id: string;
  readonly created_at: string;
}

type Rows<T> = Map<string, Owned<T>>;

export function insertRow<T extends Identified>(rows: Rows<T>, orgId: string, record: T): void {
  if (rows.has(record.id)) throw new UniqueViolation('id');
  rows.set(record.id, { orgId, record: storable(record) });
}

export function getRow<T extends Identified>(rows: Rows<T>, orgId: string, id: string): T | null {
  const row = rows.get(id);
  return row?.orgId === orgId ? structuredClone(row.record) : null;
}

/** All of an organization that `matches`, newest first. */
export function listRows<T extends Identified>(rows: Rows<T>, orgId: string, matches = (_: T): boolean => true): T[] {
  return [...rows.values()]
    .filter((row) => row.orgId === orgId && matches(row.record))
    .map((row) => row.record)
    .sort((a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id));
}

export function pageOf<T>(records: readonly T[], { limit, offset }: Page): T[] {
  return records.slice(offset, offset + limit).map((record) => structuredClone(record));
}

export function updateRow<T extends Identified>(
  rows: Rows<T>,
  orgId: string,
  id: string,
  changes: Partial<NoInfer<T>>,
): T | null {
  const row = rows.get(id);
  if (row?.orgId !== orgId) return null;
  rows.set(id, { orgId, record: { ...row.record, ...storable(changes) } });
  return getRow(rows, orgId, id);
}

export function deleteRow<T>(rows: Rows<T>, orgId: string, id: string): boolean {
  return rows.get(id)?.orgId === orgId && rows.delete(id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
