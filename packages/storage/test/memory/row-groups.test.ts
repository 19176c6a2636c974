import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePlaces, type MemoryRow } from '../../src/memory/row.ts';
import { firstAfter, RowGroups } from '../../src/memory/row-groups.ts';
import { walk } from '../../src/memory/table.ts';

function rowOf(second: number, id: string): MemoryRow {
  const created_at = new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
  return { orgId: 'acme', values: { id, created_at } };
}

const idsOf = (rows: Iterable<MemoryRow>): string[] => [...rows].map(({ values }) => values.id);

describe('RowGroups', () => {
  it('keeps rows in the order of their time and id, however they are added', () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 });
    fc.assert(
      fc.property(seconds, (times) => {
        const rows = times.map((second, n) => rowOf(second, `id-${n}`));
        const groups = new RowGroups();
        for (const row of rows) groups.add('key', row);
        const sorted = [...rows].sort((a, b) => comparePlaces(a.values, b.values));
        expect(idsOf(groups.of('key'))).toEqual(idsOf(sorted));
        for (const row of rows.slice(1)) groups.remove('key', row);
        expect(groups.of('key')).toEqual(rows.slice(0, 1));
      }),
      { seed: 20_260_110, numRuns: 200 },
    );
  });

  it('replaces a row at its place', () => {
    const groups = new RowGroups();
    const [first, second] = [rowOf(1, 'a'), rowOf(2, 'b')];
    for (const row of [second, first]) groups.add('key', row);
    const changed = { ...first, values: { ...first.values, status: 'ended' } };
    groups.replace('key', first, changed);
    expect(groups.of('key')).toEqual([changed, second]);
  });

  it('keeps groups apart, and has no rows for an unknown key', () => {
    const groups = new RowGroups();
    groups.add('one', rowOf(1, 'a'));
    groups.add('other', rowOf(1, 'b'));
    groups.remove('one', rowOf(1, 'a'));
    expect([idsOf(groups.of('one')), idsOf(groups.of('other')), idsOf(groups.of('unknown'))]).toEqual([[], ['b'], []]);
  });
});

describe('firstAfter', () => {
  const rows = [rowOf(1, 'a'), rowOf(2, 'b'), rowOf(2, 'c'), rowOf(5, 'd')];

  it.each([
    ['before all rows', rowOf(0, 'x'), 0],
    ['of the first row', rowOf(1, 'a'), 1],
    ['between rows of one time', rowOf(2, 'bb'), 2],
    ['between times', rowOf(3, 'x'), 3],
    ['of the last row', rowOf(5, 'd'), 4],
    ['after all rows', rowOf(9, 'x'), 4],
  ])('returns the index of the row that follows a position %s', (_name, { values }, index) => {
    expect(firstAfter(rows, values)).toBe(index);
  });
});

describe('walk', () => {
  const rows = [rowOf(1, 'a'), rowOf(2, 'b'), rowOf(2, 'c'), rowOf(5, 'd')];

  it.each([
    ['oldest', undefined, ['a', 'b', 'c', 'd']],
    ['newest', undefined, ['d', 'c', 'b', 'a']],
    ['oldest', rowOf(2, 'b'), ['c', 'd']],
    ['newest', rowOf(2, 'b'), ['a']],
    ['oldest', rowOf(2, 'bb'), ['c', 'd']],
    ['newest', rowOf(2, 'bb'), ['b', 'a']],
    ['oldest', rowOf(9, 'x'), []],
    ['newest', rowOf(0, 'x'), []],
  ] as const)('yields the %s rows first, from those behind a position', (order, after, ids) => {
    expect(idsOf(walk(rows, order, after?.values))).toEqual(ids);
  });
});
