import { describe, expect, it } from 'vitest';
import { readWords } from '../../src/cartesia/words.ts';

describe('readWords', () => {
  it('returns the words with times from the start of the utterance', () => {
    const word_timestamps = { words: ['Good', 'day.'], start: [0, 0.25], end: [0.2, 0.5] };
    expect(readWords({ word_timestamps }, 1_000)).toEqual([
      { text: 'Good', startMs: 1_000, endMs: 1_200 },
      { text: 'day.', startMs: 1_250, endMs: 1_500 },
    ]);
  });

  it.each([
    ['a start is missing', { words: ['a', 'b'], start: [null, 1], end: [0.5, 1.5] }],
    ['an end is not a number', { words: ['a', 'b'], start: [0, 1], end: ['0.5', 1.5] }],
    ['a word is not a text', { words: [7, 'b'], start: [0, 1], end: [0.5, 1.5] }],
  ])('leaves out only that word when %s', (_, word_timestamps) => {
    expect(readWords({ word_timestamps }, 0)).toEqual([{ text: 'b', startMs: 1_000, endMs: 1_500 }]);
  });

  it.each([
    undefined,
    null,
    'words',
    [],
    {},
    { words: ['a'] },
    { words: 'a', start: [0], end: [1] },
    { words: [], start: [0], end: [1] },
  ])('returns no words for the timestamps %j', (word_timestamps) => {
    expect(readWords({ word_timestamps }, 0)).toEqual([]);
  });
});
