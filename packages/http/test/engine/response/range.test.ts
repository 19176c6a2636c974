import { describe, expect, it } from 'vitest';
import { parseRange } from '../../../src/engine/response/range.ts';

describe('a Range header', () => {
  it.each([
    ['bytes=0-499', { start: 0, end: 499 }],
    ['bytes=500-', { start: 500, end: 999 }],
    ['bytes=-1', { start: 999, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=999-5000', { start: 999, end: 999 }],
    ['Bytes=0-0', { start: 0, end: 0 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', null],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['bytes=a-b', null],
    ['items=0-1', null],
    ['', null],
    [null, null],
  ])('with the value %s is %j for 1,000 bytes', (header, range) => {
    expect(parseRange(header, 1_000)).toEqual(range);
  });

  it('is unsatisfiable for an empty recording', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-5', 0)).toBe('unsatisfiable');
  });
});
