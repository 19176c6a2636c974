import { comparePlaces, type MemoryRow, type Place } from './row.ts';

/** Rows in groups by key. Each group is sorted, the oldest row first. */
export class RowGroups {
  readonly #groups = new Map<string, MemoryRow[]>();

  /** Returns the rows of a group, oldest first. */
  of(key: string): readonly MemoryRow[] {
    return this.#groups.get(key) ?? [];
  }

  add(key: string, row: MemoryRow): void {
    const rows = this.#groups.get(key);
    if (rows === undefined) this.#groups.set(key, [row]);
    else rows.splice(firstAfter(rows, row.values), 0, row);
  }

  /** Removes a row that the group contains. */
  remove(key: string, row: MemoryRow): void {
    const rows = this.#groups.get(key) ?? [];
    if (rows.length > 1) rows.splice(positionOf(rows, row), 1);
    else this.#groups.delete(key);
  }

  /** Replaces a row that the group contains by one with the same id and `created_at`. */
  replace(key: string, before: MemoryRow, after: MemoryRow): void {
    const rows = this.#groups.get(key) ?? [];
    rows[positionOf(rows, before)] = after;
  }
}

/**
 * Returns the index of the first row after the position. The end is checked first, because new rows mostly belong
 * there.
 */
export function firstAfter(rows: readonly MemoryRow[], place: Place): number {
  const last = rows.at(-1);
  if (last === undefined || comparePlaces(last.values, place) <= 0) return rows.length;
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && comparePlaces(row.values, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function positionOf(rows: readonly MemoryRow[], row: MemoryRow): number {
  return firstAfter(rows, row.values) - 1;
}
