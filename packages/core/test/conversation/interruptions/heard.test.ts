import { describe, expect, it } from 'vitest';
import { heardText } from '../../../src/conversation/agent-turn/heard.ts';

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

  it('skips timed words that the text does not contain', () => {
    const read = [
      { text: 'five', startMs: 0, endMs: 100 },
      { text: 'euros', startMs: 100, endMs: 200 },
    ];
    expect(heardText('€5 euros', { words: read, receivedMs: 200, complete: true }, 200)).toBe('€5 euros');
  });

  it('estimates proportionally without word times, and omits a partly played word', () => {
    const untimed = { words: [], receivedMs: 1_000, complete: true };
    expect(heardText(text, untimed, 500)).toBe('Hello,');
    expect(heardText(text, untimed, 1_000)).toBe(text);
  });

  it('does not assume that partial audio is complete', () => {
    const partial = { words: [], receivedMs: 200, complete: false };
    expect(heardText(text, partial, 200)).not.toBe(text);
  });
});
