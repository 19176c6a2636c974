import { describe, expect, it } from 'vitest';
import { heardText } from '../../src/conversation/agent-turn/heard.ts';

const text = 'Hello, this is Anna.';
const words = ['Hello', 'this', 'is', 'Anna'].map((each, i) => ({
  text: each,
  startMs: i * 200,
  endMs: i * 200 + 200,
}));
const timed = { words, receivedMs: 800, complete: true };

describe('heardText', () => {
  it('counts a word once half of it was played', () => {
    expect(heardText(text, timed, 0)).toBe('');
    expect(heardText(text, timed, 80)).toBe('');
    expect(heardText(text, timed, 120)).toBe('Hello,');
    expect(heardText(text, timed, 500)).toBe('Hello, this is');
    expect(heardText(text, timed, 800)).toBe(text);
  });

  it('passes over timed words that the text does not have', () => {
    const read = [
      { text: 'five', startMs: 0, endMs: 100 },
      { text: 'euros', startMs: 100, endMs: 200 },
    ];
    expect(heardText('€5 euros', { words: read, receivedMs: 200, complete: true }, 200)).toBe('€5 euros');
  });

  it('estimates by share where nothing is timed, and never counts a word that has only begun', () => {
    const untimed = { words: [], receivedMs: 1_000, complete: true };
    expect(heardText(text, untimed, 500)).toBe('Hello,');
    expect(heardText(text, untimed, 1_000)).toBe(text);
  });

  it('does not take a part of the audio for all of it', () => {
    const partial = { words: [], receivedMs: 200, complete: false };
    expect(heardText(text, partial, 200)).not.toBe(text);
  });
});
