import { describe, expect, it } from 'vitest';
import * as english from '../../src/languages/en/numbers.ts';
import * as dutch from '../../src/languages/nl/numbers.ts';

describe('English number words', () => {
  it.each([
    [0, 'zero', 'zeroth'],
    [1, 'one', 'first'],
    [2, 'two', 'second'],
    [3, 'three', 'third'],
    [4, 'four', 'fourth'],
    [5, 'five', 'fifth'],
    [8, 'eight', 'eighth'],
    [9, 'nine', 'ninth'],
    [12, 'twelve', 'twelfth'],
    [13, 'thirteen', 'thirteenth'],
    [20, 'twenty', 'twentieth'],
    [21, 'twenty-one', 'twenty-first'],
    [42, 'forty-two', 'forty-second'],
    [90, 'ninety', 'ninetieth'],
    [100, 'one hundred', 'one hundredth'],
    [105, 'one hundred and five', 'one hundred and fifth'],
    [1_000, 'one thousand', 'one thousandth'],
    [1_012, 'one thousand and twelve', 'one thousand and twelfth'],
    [1_000_000, 'one million', 'one millionth'],
  ])('of %i are "%s" and "%s"', (value, cardinal, ordinal) => {
    expect(english.cardinal(value)).toBe(cardinal);
    expect(english.ordinal(value)).toBe(ordinal);
  });

  it.each([
    [1066, 'one thousand and sixty-six'],
    [1492, 'fourteen ninety-two'],
    [1800, 'eighteen hundred'],
    [1908, 'nineteen oh eight'],
    [1999, 'nineteen ninety-nine'],
    [2000, 'two thousand'],
    [2009, 'two thousand and nine'],
    [2010, 'twenty ten'],
    [2100, 'twenty-one hundred'],
  ])('read the year %i as "%s"', (value, said) => {
    expect(english.year(value)).toBe(said);
  });

  it.each([
    [20, 'twenties'],
    [90, 'nineties'],
    [1800, 'eighteen hundreds'],
    [1950, 'nineteen fifties'],
    [2000, 'two thousands'],
    [2010, 'twenty tens'],
  ])('read the decade from %i as "%s"', (value, said) => {
    expect(english.decade(value)).toBe(said);
  });
});

describe('Dutch number words', () => {
  it.each([
    [0, 'nul', 'nulde'],
    [1, 'een', 'eerste'],
    [2, 'twee', 'tweede'],
    [3, 'drie', 'derde'],
    [4, 'vier', 'vierde'],
    [7, 'zeven', 'zevende'],
    [8, 'acht', 'achtste'],
    [9, 'negen', 'negende'],
    [10, 'tien', 'tiende'],
    [11, 'elf', 'elfde'],
    [12, 'twaalf', 'twaalfde'],
    [13, 'dertien', 'dertiende'],
    [17, 'zeventien', 'zeventiende'],
    [20, 'twintig', 'twintigste'],
    [23, 'drieëntwintig', 'drieëntwintigste'],
    [80, 'tachtig', 'tachtigste'],
    [100, 'honderd', 'honderdste'],
    [101, 'honderdeen', 'honderdeerste'],
    [112, 'honderdtwaalf', 'honderdtwaalfde'],
    [119, 'honderdnegentien', 'honderdnegentiende'],
    [200, 'tweehonderd', 'tweehonderdste'],
    [1_000, 'duizend', 'duizendste'],
    [1_100, 'duizend honderd', 'duizend honderdste'],
    [2_000, 'tweeduizend', 'tweeduizendste'],
    [1_000_000, 'een miljoen', 'een miljoenste'],
  ])('of %i are "%s" and "%s"', (value, cardinal, ordinal) => {
    expect(dutch.cardinal(value)).toBe(cardinal);
    expect(dutch.ordinal(value)).toBe(ordinal);
  });

  it.each([
    [1066, 'duizend zesenzestig'],
    [1492, 'veertienhonderdtweeënnegentig'],
    [1800, 'achttienhonderd'],
    [1908, 'negentienhonderdacht'],
    [2000, 'tweeduizend'],
    [2009, 'tweeduizend negen'],
    [2024, 'tweeduizend vierentwintig'],
  ])('read the year %i as "%s"', (value, said) => {
    expect(dutch.year(value)).toBe(said);
  });
});
