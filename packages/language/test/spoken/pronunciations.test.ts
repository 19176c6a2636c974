import { describe, expect, it } from 'vitest';
import { pronunciationsIn } from '../../src/spoken/pronunciations.ts';

const entry = (text: string, say: string, case_sensitive = false) => ({ text, say, case_sensitive });

describe('pronunciationsIn', () => {
  it('is null without pronunciations', () => {
    expect(pronunciationsIn('any text', [])).toBeNull();
  });

  it.each([
    ['acme is open', 0],
    ['the ACME shop', 4],
    ['(acme)', 1],
    ['acme, then', 0],
    ['acme', 0],
    ['"acme"', 1],
  ])('finds a whole word in %j at %i', (text, at) => {
    expect(pronunciationsIn(text, [entry('Acme', 'ack me')])?.(at)).toEqual({ end: at + 4, spoken: 'ack me' });
  });

  it.each([
    ['within a word', 'pacme', 1],
    ['before more letters', 'acmes', 0],
    ['before a digit', 'acme2', 0],
    ['before a letter of another script', 'acmeё', 0],
    ['at another place', 'the acme', 0],
    ['after the end of the text', 'acme', 4],
  ])('finds nothing %s', (_, text, at) => {
    expect(pronunciationsIn(text, [entry('acme', 'ack me')])?.(at)).toBeNull();
  });

  it('distinguishes case where that is set', () => {
    const at = pronunciationsIn('It is IT', [entry('IT', 'I T', true)]);
    expect(at?.(0)).toBeNull();
    expect(at?.(6)).toEqual({ end: 8, spoken: 'I T' });
  });

  it('prefers the longest, whatever the order', () => {
    const entries = [entry('New', 'knew'), entry('New York City', 'N Y C'), entry('New York', 'N Y')];
    const at = (text: string) => pronunciationsIn(text, entries)?.(0)?.spoken;
    expect(at('New York City')).toBe('N Y C');
    expect(at('New York Citizens')).toBe('N Y');
    expect(at('New Yorkers')).toBe('knew');
  });

  it('tries a shorter one if a longer one differs in case', () => {
    const entries = [entry('US Dollar', 'a', true), entry('us', 'b')];
    expect(pronunciationsIn('us dollar', entries)?.(0)).toEqual({ end: 2, spoken: 'b' });
  });

  it('finds signs beside letters', () => {
    expect(pronunciationsIn('C++17', [entry('C++', 'see plus plus')])?.(0)?.end).toBe(3);
    expect(pronunciationsIn('a.NET', [entry('.NET', 'dot net')])?.(1)?.end).toBe(5);
  });

  it('keeps its indexes after a letter that is longer in lower case', () => {
    expect(pronunciationsIn('İ acme', [entry('ACME', 'ack me')])?.(2)).toEqual({ end: 6, spoken: 'ack me' });
  });
});
