import { describe, expect, it } from 'vitest';
import { spoken } from '../../../src/languages/en/spoken.ts';
import { inGroups, letters, matchAt, type Reading } from '../../../src/spoken/rules/rule.ts';

const reading: Reading = { text: '', language: spoken, region: '', numbers: spoken.numbers };

/** Returns the lengths of the groups in which `length` digits are read. */
const groupLengths = (length: number): number[] =>
  inGroups('1'.repeat(length), reading)
    .split(', ')
    .map((group) => group.split(' ').length);

describe('inGroups', () => {
  it.each([
    [1, [1]],
    [5, [5]],
    [6, [3, 3]],
    [7, [3, 4]],
    [8, [4, 4]],
    [9, [3, 3, 3]],
    [10, [3, 3, 4]],
    [11, [3, 3, 3, 2]],
    [12, [4, 4, 4]],
    [13, [3, 3, 3, 4]],
    [16, [4, 4, 4, 4]],
  ])('reads %i digits in groups of %j', (length, groups) => {
    expect(groupLengths(length)).toEqual(groups);
  });

  it('keeps the digits and their order', () => {
    expect(inGroups('0123456', reading)).toBe('zero one two, three four five six');
  });

  it('keeps a character that is no digit', () => {
    expect(inGroups('1x', reading)).toBe('one x');
  });
});

describe('letters', () => {
  it('spells a word in capitals', () => {
    expect(letters('btw')).toBe('B T W');
  });
});

describe('matchAt', () => {
  it('matches at the index only, however often it is called', () => {
    const pattern = /\d+/y;
    expect(matchAt(pattern, 'ab12', 0)).toBeNull();
    expect(matchAt(pattern, 'ab12', 2)?.[0]).toBe('12');
    expect(matchAt(pattern, 'ab12', 3)?.[0]).toBe('2');
    expect(matchAt(pattern, 'ab12', 2)?.[0]).toBe('12');
  });
});
