import { describe, expect, it } from 'vitest';
import { de } from '../../src/languages/de.ts';
import { en } from '../../src/languages/en.ts';
import { es } from '../../src/languages/es.ts';
import { nl } from '../../src/languages/nl.ts';
import { wordsOf } from '../../src/text/words.ts';
import { addressTail, isWholeCode, spelledTail } from '../../src/turns/spelled.ts';

const tail = (text: string, language = en) => spelledTail(wordsOf(text), language.spelling);

describe('spelledTail', () => {
  it.each([
    ['my number is zero six one two', 4, 4],
    ['it is 0612', 4, 1],
    ['it is 06-12 34', 6, 2],
    ['plus 31 (0)6', 4, 4],
    ['twenty one', 2, 2],
    ['twenty twelve', 4, 2],
    ['ninety', 2, 1],
    ['double five', 2, 2],
    ['double five triple two', 4, 4],
    ['the code', 0, 0],
    ['', 0, 0],
  ])('counts the digits of %j: %i in %i words', (text, digits, words) => {
    expect(tail(text)).toMatchObject({ digits, words });
  });

  it('reads a ten and the digit after it as two digits', () => {
    expect(tail('twenty one').digits).toBe(2);
    expect(tail('one twenty').digits).toBe(3);
    expect(tail('twenty one two').digits).toBe(3);
  });

  it('reads a compound of a language without separate tens as two digits', () => {
    expect(tail('einundzwanzig fünf', de).digits).toBe(3);
    expect(tail('zwölf zwo null', de).digits).toBe(4);
  });

  it('lists digits, letters, marks and doubles in spoken order', () => {
    expect(tail('my plate is a b dash 1 double c').pieces).toEqual([
      'letter',
      'letter',
      'mark',
      'digit',
      'double',
      'letter',
    ]);
  });

  it('takes letters joined by hyphens or dots for one piece', () => {
    expect(tail('that is J-A-N')).toMatchObject({ pieces: ['letter'], words: 1 });
    expect(tail('that is j.a.n')).toMatchObject({ pieces: ['letter'], words: 1 });
    expect(tail('that is jan')).toMatchObject({ pieces: [], words: 0 });
  });

  it('ends at the last word that does not belong to it', () => {
    expect(tail('one two is three four')).toMatchObject({ digits: 2, words: 2 });
    expect(tail('one two three then')).toMatchObject({ digits: 0, words: 0 });
  });
});

describe('isWholeCode', () => {
  const isWhole = (text: string, language = nl): boolean =>
    isWholeCode(wordsOf(text), spelledTail(wordsOf(text), language.spelling));

  it.each([
    ['1234 AB', nl],
    ['1234ab', nl],
    ['mijn postcode is 1234 ab', nl],
    ['SW1A 1AA', en],
    ['my postcode is M1 1AE', en],
    ['0612345678', nl],
    ['zero six one two three four five six seven eight', en],
    ['plus 31 6 12 34 56 78', nl],
    ['double one double two double three double four 5 6', en],
    ['1 2 3 4 a b', nl],
    ['one two three four a b', en],
  ])('accepts %j', (text, language) => {
    expect(isWhole(text, language)).toBe(true);
  });

  it.each([
    ['1234', nl],
    ['1234 a', nl],
    ['0234 ab', nl],
    ['061234567', nl],
    ['one two three four five', en],
    ['1 2 3 4 a b c', nl],
    ['a b 1 2 3 4', nl],
    ['1 2 3 a b', nl],
    ['hello', en],
    ['', en],
  ])('refuses %j', (text, language) => {
    expect(isWhole(text, language)).toBe(false);
  });
});

describe('addressTail', () => {
  const address = (text: string, language = en) => addressTail(wordsOf(text), language.spelling);

  it.each([
    ['jan@example.com', en],
    ['it is jan@mail.example.co.uk', en],
    ['jan at example dot com', en],
    ['my email is jan at example dot co dot uk', en],
    ['jan at gmail dot n l', en],
    ['jan apenstaartje example punt nl', nl],
    ['ana arroba example punto com', es],
  ])('ends in a whole address: %j', (text, language) => {
    expect(address(text, language)).toBe('whole');
  });

  it.each([
    ['jan@example', en],
    ['jan@', en],
    ['my email is jan at example', en],
    ['my email is jan at', en],
    ['jan at example dot c', en],
    ['jan apenstaartje', nl],
    ['jan apenstaartje example', nl],
    ['it is jan@example dot', en],
  ])('ends in a part of an address: %j', (text, language) => {
    expect(address(text, language)).toBe('part');
  });

  it.each([
    ['look at', en],
    ['look at example', en],
    ['my email is at the office in town', en],
    ['jan apenstaartje example en dan nog iets', nl],
    ['ana arroba', es],
    ['hello', en],
    ['', en],
  ])('ends in no address: %j', (text, language) => {
    expect(address(text, language)).toBeNull();
  });

  it('looks for the sign in the last twelve words only', () => {
    const words = (count: number): string => Array.from({ length: count }, () => 'x').join(' ');
    expect(address(`my email is jan at ${words(9)} dot com`)).toBe('whole');
    expect(address(`my email is jan at ${words(10)} dot com`)).toBeNull();
  });
});
