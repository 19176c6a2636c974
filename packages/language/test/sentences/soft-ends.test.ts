import { describe, expect, it } from 'vitest';
import { en } from '../../src/languages/en.ts';
import { isSoftEnd } from '../../src/sentences/soft-ends.ts';

/** Returns what stands before the soft end at "|" (not part of the text), or null if none is there. */
function firstClause(marked: string, start = 0): string | null {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const end = isSoftEnd(text, start, at, en.sentences);
  return end === null ? null : text.slice(start, end);
}

describe('isSoftEnd', () => {
  it.each([
    ['If you would like|, we can call', 'If you would like, '],
    ['There are two ways|: by phone', 'There are two ways: '],
    ['That is fine by me|; we can', 'That is fine by me; '],
    ['Unfortunately restaurants closed|, so', 'Unfortunately restaurants closed, '],
  ])('cuts after a mark that follows a whole clause: %j', (text, expected) => {
    expect(firstClause(text)).toBe(expected);
  });

  it.each([
    ['Well|, we can'],
    ['The big one|, we can'],
    ['That costs much 1|,000 a year'],
    ['Come at half past 10|:30 or so'],
  ])('does not cut a clause that is too short, nor within a number: %j', (text) => {
    expect(firstClause(text)).toBeNull();
  });

  it('cuts after an interjection, however short', () => {
    expect(firstClause('Sure|, we can')).toBe('Sure, ');
    expect(firstClause('Good morning|, you reached')).toBe('Good morning, ');
    expect(firstClause('Yes. of course|, we can', 4)).toBe(' of course, ');
  });

  it('cuts after a dash between spaces, but not after a number', () => {
    expect(firstClause('That is no problem| – we can')).toBe('That is no problem – ');
    expect(firstClause('That is no problem| - we can')).toBe('That is no problem - ');
    expect(firstClause('The room is free from 10| – 12')).toBeNull();
    expect(firstClause('No problem| – we can')).toBeNull();
  });

  it('cuts before a conjunction, which begins the next clause', () => {
    expect(firstClause('I can book a table| and call you')).toBe('I can book a table ');
    expect(firstClause('I can book a table| because you')).toBe('I can book a table ');
  });

  it.each([
    ['a short clause', 'A table| and a chair'],
    ['a number', 'It costs about 200| and fifty'],
    ['a number word', 'It costs about two hundred| and fifty'],
    ['the first of two ends of a range', 'The room is free between| and after'],
    ['another word', 'I can book a table| tonight at'],
    ['a conjunction that may go on', 'I can book a table| and'],
  ])('does not cut before a conjunction after %s', (_, text) => {
    expect(firstClause(text)).toBeNull();
  });

  it('cuts neither at a letter nor at the end of the text', () => {
    expect(firstClause('I can book a table for you ton|ight')).toBeNull();
    expect(firstClause('I can book a table for you,|')).toBeNull();
    expect(firstClause('I can book a table for you|,')).toBeNull();
  });
});
