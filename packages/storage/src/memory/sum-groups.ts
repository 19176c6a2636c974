import type { MemoryRow, Value } from './row.ts';

/** Adds up fields of rows in groups; the groups with the most rows come first. */
export function sumGroups<Found>(
  rows: readonly MemoryRow[],
  query: { readonly by: readonly string[]; readonly sums: readonly string[]; readonly limit: number },
): Found[] {
  const { by, sums, limit } = query;
  const groups = new Map<string, { readonly common: readonly Value[]; count: number; readonly totals: number[] }>();
  for (const { values } of rows) {
    const common = by.map((name) => values[name] ?? null);
    const key = JSON.stringify(common);
    const group = groups.get(key) ?? { common, count: 0, totals: sums.map(() => 0) };
    groups.set(key, group);
    group.count += 1;
    for (const [at, name] of sums.entries()) {
      const value = values[name];
      if (typeof value === 'number') group.totals[at] = (group.totals[at] ?? 0) + value;
    }
  }
  return [...groups.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, limit)
    .map(({ common, count, totals }) => ({
      ...Object.fromEntries(by.map((name, at) => [name, common[at]])),
      count,
      ...Object.fromEntries(sums.map((name, at) => [name, totals[at]])),
    })) as Found[];
}
