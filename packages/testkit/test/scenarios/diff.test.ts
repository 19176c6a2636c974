import { describe, expect, it } from 'vitest';
import { align, sideBySide } from '../../src/scenarios/diff.ts';

describe('align', () => {
  it.each([
    ['nothing', [], [], []],
    ['equal lines', ['a', 'b'], ['a', 'b'], ['a|a', 'b|b']],
    ['a missing line', ['a', 'b', 'c'], ['a', 'c'], ['a|a', 'b|-', 'c|c']],
    ['an additional line', ['a', 'c'], ['a', 'b', 'c'], ['a|a', '-|b', 'c|c']],
    ['a changed line', ['a', 'b', 'c'], ['a', 'x', 'c'], ['a|a', 'b|x', 'c|c']],
    ['more lines than expected in one place', ['a', 'z'], ['x', 'y', 'z'], ['a|x', '-|y', 'z|z']],
    ['no common line', ['a'], ['x', 'y'], ['a|x', '-|y']],
  ] as const)('aligns %s', (_, expected, actual, rows) => {
    expect(align(expected, actual).map((row) => `${row.expected ?? '-'}|${row.actual ?? '-'}`)).toEqual(rows);
  });
});

describe('sideBySide', () => {
  it('marks the rows that differ, in columns of one width', () => {
    const rows = align(['same', 'a long expected line', 'only expected'], ['same', 'changed']);
    expect(sideBySide(rows)).toBe(
      [
        '  expected             | actual',
        '  same                 | same',
        '> a long expected line | changed',
        '> only expected        |',
      ].join('\n'),
    );
  });
});
