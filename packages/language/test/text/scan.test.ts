import { describe, expect, it } from 'vitest';
import {
  digitsEnd,
  isCapital,
  isDigit,
  isSpace,
  isWordChar,
  skipSpaces,
  wordBefore,
  wordEnd,
} from '../../src/text/scan.ts';

describe('characters', () => {
  it('are white space exactly if a regular expression says so', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const char = String.fromCharCode(code);
      expect(isSpace(char), code.toString(16)).toBe(/\s/.test(char));
    }
  });

  it('are letters or digits in every script', () => {
    for (const char of ['a', 'Z', '0', 'é', 'ß', 'ё', '漢', 'ª', 'º', '½', '²'])
      expect(isWordChar(char), char).toBe(true);
    for (const char of ['', ' ', '.', '_', '-', '€', '–', '\u00a0', '°', '😀'])
      expect(isWordChar(char), char).toBe(false);
  });

  it('are digits and capitals only in ASCII', () => {
    expect(['0', '9'].every(isDigit)).toBe(true);
    expect(['', 'a', '٣', '½', '12'].some(isDigit)).toBe(false);
    expect(['A', 'Z'].every(isCapital)).toBe(true);
    expect(['', 'a', 'É', '1'].some(isCapital)).toBe(false);
  });
});

describe('scanners', () => {
  it('find the end of a word and of digits', () => {
    expect(wordEnd('één2 drie', 0)).toBe(4);
    expect(wordEnd('a b', 1)).toBe(1);
    expect(digitsEnd('a123b', 1)).toBe(4);
    expect(digitsEnd('a123b', 0)).toBe(0);
  });

  it('read at most 50 digits', () => {
    expect(digitsEnd('1'.repeat(80), 0)).toBe(50);
  });

  it('skip spaces and at most one line break', () => {
    expect(skipSpaces('a \t b', 1)).toBe(4);
    expect(skipSpaces('a \n\n b', 1)).toBe(3);
    expect(skipSpaces('ab', 1)).toBe(1);
  });

  it('find the word before an index without its opening marks', () => {
    expect(wordBefore('see ("Dr. No', 8, 0)).toBe('Dr');
    expect(wordBefore('see Dr', 6, 5)).toBe('r');
    expect(wordBefore('a ', 2, 0)).toBe('');
  });

  it('find no word that is longer than the limit', () => {
    expect(wordBefore('x'.repeat(24), 24, 0)).toBe('x'.repeat(24));
    expect(wordBefore('x'.repeat(25), 25, 0)).toBe('');
    expect(wordBefore('abcd', 4, 0, 3)).toBe('');
  });
});
