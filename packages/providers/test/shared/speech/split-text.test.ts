import { describe, expect, it } from 'vitest';
import { splitText } from '../../../src/shared/speech/split-text.ts';

describe('splitText', () => {
  it.each<[string, number, string[]]>([
    ['', 5, []],
    ['short', 5, ['short']],
    ['two words', 5, ['two ', 'words']],
    ['two words', 4, ['two ', 'word', 's']],
    ['abcdefg', 3, ['abc', 'def', 'g']],
    [' abcd', 3, [' ab', 'cd']],
    ['a\u{1F600}b', 2, ['a', '\u{1F600}', 'b']],
    ['\u{1F600}\u{1F600}', 3, ['\u{1F600}', '\u{1F600}']],
    ['one two three', 8, ['one two ', 'three']],
  ])('splits %j at %i units: %j', (text, maxLength, expected) => {
    const parts = splitText(text, maxLength);
    expect(parts).toEqual(expected);
    expect(parts.join('')).toBe(text);
  });
});
