import { describe, expect, it } from 'vitest';
import { spoken as english } from '../../../src/languages/en/spoken.ts';
import { spoken as dutch } from '../../../src/languages/nl/spoken.ts';
import type { NumberGrammar, SpokenLanguage } from '../../../src/languages/spoken-language.ts';
import { figuresAt, sayFigures, spacedFiguresAt } from '../../../src/spoken/rules/figures.ts';

function grammarOf({ numbers }: SpokenLanguage): NumberGrammar {
  if (numbers === null) throw new Error('The language has no number grammar.');
  return numbers;
}

const en = grammarOf(english);
const nl = grammarOf(dutch);

describe('figuresAt', () => {
  it.each([
    ['12', '12', ''],
    ['1,000', '1000', ''],
    ['1,000.5', '1000', '5'],
    ['1,234,567.89', '1234567', '89'],
    ['3.14', '3', '14'],
    ['3.145', '3', '145'],
    ['12,50', '12', '50'],
    ['1000,50', '1000', '50'],
    ['1000,000', '1000', '000'],
    ['0,125', '0', '125'],
    ['1.000,50', '1000', '50'],
    ['.5', '', '5'],
    ['007', '007', ''],
  ])('reads in English %j as %j and %j', (text, whole, decimals) => {
    expect(figuresAt(text, 0, en)).toMatchObject({ end: text.length, whole, decimals });
  });

  it.each([
    ['1.000', '1000', ''],
    ['1.000,5', '1000', '5'],
    ['3,145', '3', '145'],
    ['12.50', '12', '50'],
    ['1000.50', '1000', '50'],
    ['0.125', '0', '125'],
    ['1,000.50', '1000', '50'],
    [',5', '', '5'],
  ])('reads in Dutch %j as %j and %j', (text, whole, decimals) => {
    expect(figuresAt(text, 0, nl)).toMatchObject({ end: text.length, whole, decimals });
  });

  it.each(['1.2.3', '1,00,000', '12.34.56', '1,000.50,5', '1.000,500.5', '192.168.1.1'])(
    'returns null for the marks of %j',
    (text) => {
      expect(figuresAt(text, 0, en)).toBeNull();
    },
  );

  it.each([
    ['a letter', 'a', 0],
    ['a mark without digits', '. 5', 0],
    ['a version after its first mark', '.5.1', 0],
  ])('returns null for %s', (_, text, at) => {
    expect(figuresAt(text, at, en)).toBeNull();
  });

  it('leaves a mark after the number to the sentence', () => {
    expect(figuresAt('12. Then', 0, en)).toMatchObject({ end: 2, whole: '12' });
    expect(figuresAt('1,000, then', 0, en)).toMatchObject({ end: 5, whole: '1000' });
    expect(figuresAt('it costs 12.50.', 9, en)).toMatchObject({ end: 14, decimals: '50' });
  });

  it('knows a number in groups', () => {
    expect(figuresAt('1,000', 0, en)?.grouped).toBe(true);
    expect(figuresAt('1000', 0, en)?.grouped).toBe(false);
    expect(figuresAt('1000.5', 0, en)?.grouped).toBe(false);
    expect(figuresAt('10 000', 0, en)?.grouped).toBe(true);
  });
});

describe('spacedFiguresAt', () => {
  it.each([
    ['1\u00a0000', '1000', ''],
    ['12\u202f345\u202f678', '12345678', ''],
    ['1\u2009234,5', '1234', '5'],
    ['10 000', '10000', ''],
    ['1 234 000', '1234000', ''],
  ])('reads %j as %j and %j', (text, whole, decimals) => {
    expect(spacedFiguresAt(text, 0)).toEqual({ end: text.length, whole, decimals, grouped: true });
  });

  it.each([
    ['other digits after a plain space', '12 345', 0],
    ['a group of two digits', '1\u00a000', 0],
    ['a group that begins with zero', '0\u00a0800', 0],
    ['more digits after the groups', '1\u00a0000\u00a05', 0],
    ['the second part of a longer number', '0 800 000', 2],
    ['a number without groups', '1000', 0],
  ])('returns null for %s', (_, text, at) => {
    expect(spacedFiguresAt(text, at)).toBeNull();
  });
});

describe('sayFigures', () => {
  const said = (whole: string, decimals = '', grouped = false): string =>
    sayFigures({ end: 0, whole, decimals, grouped }, { text: '', language: english, region: '', numbers: en }, en);

  it.each([
    ['', '25', false, 'point two five'],
    ['12', '5', false, 'twelve point five'],
    ['007', '', false, 'zero zero seven'],
    ['0', '', false, 'zero'],
    ['1234567', '', false, 'one two three, four five six seven'],
    ['1234567', '', true, 'one million two hundred and thirty-four thousand five hundred and sixty-seven'],
    ['2500000', '', false, 'two million five hundred thousand'],
    ['123456', '', false, 'one hundred and twenty-three thousand four hundred and fifty-six'],
  ])('reads %j and %j (grouped: %s) as %j', (whole, decimals, grouped, expected) => {
    expect(said(whole, decimals, grouped)).toBe(expected);
  });

  it('reads a number above 10^15 by its digits', () => {
    expect(said('1000000000000000')).toBe('one quadrillion');
    expect(said('2000000000000000', '', true)).toMatch(/^two zero zero zero, zero/);
  });
});
