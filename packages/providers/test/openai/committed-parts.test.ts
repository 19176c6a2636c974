import { describe, expect, it } from 'vitest';
import { CommittedParts } from '../../src/openai/realtime-transcription/committed-parts.ts';

describe('CommittedParts', () => {
  it('settles parts in the order of their commits, with the number of finalize calls that each answers', () => {
    const parts = new CommittedParts();
    parts.add(2);
    parts.add();
    parts.committed('a');
    parts.committed('b');
    expect(parts.complete('b', 'second')).toEqual([]);
    expect(parts.complete('a', 'first')).toEqual([
      { text: 'first', answers: 2 },
      { text: 'second', answers: 1 },
    ]);
    expect(parts.isEmpty).toBe(true);
  });

  it('reports the words of a later item only once the earlier one is complete', () => {
    const parts = new CommittedParts();
    parts.add();
    parts.committed('a');
    expect(parts.addWords('b', 'thank')).toBeUndefined();
    expect(parts.addWords('a', 'yes')).toBe('yes');
    parts.complete('a', 'yes please');
    expect(parts.addWords('b', ' you')).toBe('thank you');
  });

  it('settles abandoned parts with their words so far', () => {
    const parts = new CommittedParts();
    parts.addWords('a', 'yes');
    parts.add();
    expect(parts.giveUp()).toEqual([{ text: 'yes', answers: 1 }]);
    expect(parts.complete('a', 'yes please')).toEqual([]);
  });

  it('ignores words of unknown items, and of more than 20 items without a commit', () => {
    const parts = new CommittedParts();
    for (let item = 1; item <= 20; item++) expect(parts.addWords(`item-${item}`, 'word')).toBe('word');
    expect(parts.addWords('item-21', 'word')).toBeUndefined();
    expect(parts.complete('unknown', 'word')).toEqual([]);
    expect(parts.refuse('unknown')).toEqual([]);
  });
});
