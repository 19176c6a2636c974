import type { MemoryRow } from './row.ts';

type Group = Record<string, unknown>;

/**
 * Sums the fields `sums` of the items in a JSON array column, grouped by the fields `by`. Returns at most `limit`
 * groups, by descending first sum.
 */
export function sumItems<Found>(
  rows: readonly MemoryRow[],
  query: {
    readonly field: string;
    readonly by: readonly string[];
    readonly sums: readonly string[];
    readonly limit: number;
  },
): Found[] {
  const { field, by, sums, limit } = query;
  const groups = new Map<string, Group>();
  for (const { values } of rows) {
    const stored = values[field];
    const items: readonly Group[] = typeof stored === 'string' ? JSON.parse(stored) : [];
    for (const item of items) {
      const common = by.map((name) => item[name] ?? null);
      const key = JSON.stringify(common);
      const group = groups.get(key) ?? Object.fromEntries(by.map((name, at) => [name, common[at]]));
      groups.set(key, group);
      for (const name of sums) group[name] = added(group[name], item[name]);
    }
  }
  const [first = ''] = sums;
  return [...groups.values()].sort((a, b) => rank(b[first]) - rank(a[first])).slice(0, limit) as Found[];
}

function added(sum: unknown, value: unknown): number | null {
  if (typeof value !== 'number') return typeof sum === 'number' ? sum : null;
  return (typeof sum === 'number' ? sum : 0) + value;
}

/** Returns the sort key of a sum: null is the lowest. Finite, because the difference of two infinities is NaN. */
function rank(sum: unknown): number {
  return typeof sum === 'number' ? sum : -Number.MAX_VALUE;
}
