import { describe, expect, it } from 'vitest';
import { matchingClose } from '../../src/sentences/brackets.ts';

describe('matchingClose', () => {
  it.each([
    ['"yes" she said', 0, 4],
    ['He said “no”, twice', 8, 11],
    ['Er sagte „ja“ dazu', 9, 12],
    ['Il dit «oui» deux fois', 7, 11],
    ['room (the big one) is free', 5, 17],
    ['see [note] below', 4, 9],
    ['type `npm i` now', 5, 11],
  ])('finds in %j the mark that closes the one at %i', (text, at, close) => {
    expect(matchingClose(text, at)).toBe(close);
  });

  it.each([
    ['a letter', 'yes', 0],
    ['an apostrophe', "it's fine", 2],
    ['a closing mark', 'so) it goes', 2],
    ['a mark within a word', '5" wide', 1],
    ['the end of the text', 'yes', 3],
    ['an empty pair', 'call() now', 4],
    ['an empty pair after a space', 'call () now', 5],
  ])('returns null for %s', (_, text, at) => {
    expect(matchingClose(text, at)).toBeNull();
  });

  it('opens after another opening mark or a mark of emphasis', () => {
    expect(matchingClose('("yes") then', 1)).toBe(5);
    expect(matchingClose('*"yes"* then', 1)).toBe(5);
    expect(matchingClose('_"yes"_ then', 1)).toBe(5);
  });

  it('waits for a mark that may still arrive', () => {
    expect(matchingClose('He said "I would', 8)).toBe('open');
    expect(matchingClose('"', 0)).toBe('open');
  });

  it('does not reach over the end of a line', () => {
    expect(matchingClose('He said "I would\nlike" it', 8)).toBeNull();
    expect(matchingClose('"yes"\n', 0)).toBe(4);
  });

  it('gives up after 120 characters', () => {
    const within = 'a'.repeat(118);
    expect(matchingClose(`"${within}"`, 0)).toBe(119);
    expect(matchingClose(`"${within}a"`, 0)).toBeNull();
    expect(matchingClose(`"${within}`, 0)).toBe('open');
    expect(matchingClose(`"${within}a`, 0)).toBeNull();
  });
});
