import { describe, expect, it } from 'vitest';
import { WordAssembly } from '../../src/elevenlabs/words.ts';

/** Alignment of a text with 10 ms per character, counted from the audio of the message. */
function messageOf(text: string, fromMs = 0) {
  const chars = [...text];
  const charStartTimesMs = chars.map((_, at) => fromMs + at * 10);
  return { alignment: { chars, charStartTimesMs, charDurationsMs: chars.map(() => 10) } };
}

describe('WordAssembly', () => {
  it('joins a word whose characters come in two messages', () => {
    const words = new WordAssembly();
    expect(words.add(messageOf('Good mor'), 0, 'Good morning. ')).toEqual([{ text: 'Good', startMs: 0, endMs: 40 }]);
    expect(words.add(messageOf('ning. '), 80, 'Good morning. ')).toEqual([
      { text: 'morning.', startMs: 50, endMs: 130 },
    ]);
    expect(words.end()).toEqual([]);
  });

  it('returns the last word at the end, once', () => {
    const words = new WordAssembly();
    expect(words.add(messageOf('Yes'), 0, 'Yes ')).toEqual([]);
    expect(words.end()).toEqual([{ text: 'Yes', startMs: 0, endMs: 30 }]);
    expect(words.end()).toEqual([]);
  });

  it('skips an alignment that repeats the whole text', () => {
    const words = new WordAssembly();
    expect(words.add(messageOf('Yes '), 0, 'Yes ')).toHaveLength(1);
    expect(words.add(messageOf('Yes '), 40, 'Yes ')).toEqual([]);
  });

  it('continues after a repetition, with times from the start of the repeated text', () => {
    const words = new WordAssembly();
    words.add(messageOf('One '), 0, 'One two ');
    expect(words.add(messageOf('One two '), 40, 'One two ')).toEqual([{ text: 'two', startMs: 40, endMs: 70 }]);
  });

  it('keeps a word that the text has twice', () => {
    const words = new WordAssembly();
    words.add(messageOf('no '), 0, 'no no ');
    expect(words.add(messageOf('no '), 30, 'no no ')).toEqual([{ text: 'no', startMs: 30, endMs: 50 }]);
  });

  it('reads the durations under the other name that the service uses', () => {
    const alignment = { chars: ['a', ' '], charStartTimesMs: [0, 10], charsDurationsMs: [10, 10] };
    expect(new WordAssembly().add({ alignment }, 0, 'a ')).toEqual([{ text: 'a', startMs: 0, endMs: 10 }]);
  });

  it('leaves out only the characters without a time', () => {
    const alignment = { chars: ['x', 'a', ' '], charStartTimesMs: [null, 100, 110], charDurationsMs: [5, 10, 10] };
    expect(new WordAssembly().add({ alignment }, 0, 'a ')).toEqual([{ text: 'a', startMs: 100, endMs: 110 }]);
  });

  it.each([null, undefined, 'text', [], {}, { chars: ['a'] }, { chars: 'a', charStartTimesMs: [0] }])(
    'returns no words for the alignment %j',
    (alignment) => {
      expect(new WordAssembly().add({ alignment }, 0, 'a ')).toEqual([]);
    },
  );
});
