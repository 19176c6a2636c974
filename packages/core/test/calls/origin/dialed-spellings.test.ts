import { describe, expect, it } from 'vitest';
import { dialedSpellings } from '../../../src/calls/origin/dialed-spellings.ts';

describe('dialedSpellings', () => {
  it.each(['+31201111111', '0031201111111', '31201111111', '+31 (20) 111-11.11'])(
    'reads %s as an exact number',
    (dialed) => {
      expect(dialedSpellings(dialed).exact).toBe('+31201111111');
    },
  );

  it('gives no national readings of a number with a country code', () => {
    expect(dialedSpellings('+31201111111').national).toEqual([]);
    expect(dialedSpellings('0031201111111').national).toEqual([]);
  });

  it('reads a national number in every country, and keeps the leading zero for Italy only', () => {
    const { exact, national } = dialedSpellings('0201111111');
    expect(exact).toBeNull();
    expect(national).toEqual(expect.arrayContaining(['+31201111111', '+44201111111', '+390201111111']));
    expect(dialedSpellings('2025550100').national).toContain('+12025550100');
  });

  it.each(['', 'desk', '+', '12', '+0123456789', '1234567890123456', '*21#'])(
    'finds no exact number in "%s"',
    (dialed) => {
      expect(dialedSpellings(dialed)).toEqual({ exact: null, national: expect.any(Array) });
      expect(dialedSpellings(dialed).national.every((number) => /^\+[1-9]\d{6,14}$/.test(number))).toBe(true);
    },
  );
});
