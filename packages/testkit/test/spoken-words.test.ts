import { describe, expect, it } from 'vitest';
import { SpokenWords } from '../src/spoken-words.ts';

describe('SpokenWords', () => {
  it('spreads the words of a stretch evenly, and returns each once', () => {
    const words = new SpokenWords();
    words.add({ text: 'a table for two', fromMs: 1_000, toMs: 1_400 });
    expect(words.settle(1_099)).toBeUndefined();
    expect(words.settle(1_100)).toBe('a');
    expect(words.settle(1_350)).toBe('table for');
    expect(words.settle(5_000)).toBe('two');
    expect(words.settle(9_000)).toBeUndefined();
  });

  it('joins the words of several stretches', () => {
    const words = new SpokenWords();
    words.add({ text: 'good  morning', fromMs: 0, toMs: 200 });
    words.add({ text: 'a table', fromMs: 500, toMs: 700 });
    expect(words.settle(650)).toBe('good morning a');
    expect(words.settle(700)).toBe('table');
  });
});
