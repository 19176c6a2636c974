import { describe, expect, it } from 'vitest';
import { endingPhrase, wordsOf } from '../../src/text/words.ts';

describe('wordsOf', () => {
  it.each([
    ['', []],
    ['...', []],
    ['Hello, World!', ['hello', 'world']],
    ['uh-huh', ['uh-huh']],
    ['ma’am', ["ma'am"]],
    ["'tis the season'", ['tis', 'the', 'season']],
    ['*bold* and _slanted_', ['bold', 'and', 'slanted']],
    ['info@example.com.', ['info@example.com']],
    ['3.5 km', ['3.5', 'km']],
    ['¿Qué? ¡Claro!', ['qué', 'claro']],
    ['«Oui» „Ja“ (no) [x]', ['oui', 'ja', 'no', 'x']],
    ['one – two — three', ['one', 'two', 'three']],
    ['a\u00a0b\nc\td', ['a', 'b', 'c', 'd']],
    ['cafe\u0301', ['café']],
    ['ДА, Ёлка', ['да', 'ёлка']],
  ])('splits %j into %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('endingPhrase', () => {
  const phrases = new Set(['thank you', 'you', 'that is all thank you', 'that will be all']);

  it.each([
    [['yes'], 0],
    [[], 0],
    [['see', 'you'], 1],
    [['oh', 'thank', 'you'], 2],
    [['that', 'will', 'be', 'all'], 4],
    [['thank', 'you', 'very'], 0],
    [['that', 'is', 'all', 'thank', 'you'], 2],
  ])('finds the longest of at most four words at the end of %j: %i', (words, length) => {
    expect(endingPhrase(words, phrases)).toBe(length);
  });

  it('finds longer phrases up to a given length', () => {
    expect(endingPhrase(['that', 'is', 'all', 'thank', 'you'], phrases, 5)).toBe(5);
  });
});
