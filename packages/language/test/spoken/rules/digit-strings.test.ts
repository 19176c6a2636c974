import { describe, expect, it } from 'vitest';
import { spokenLanguageOf } from '../../../src/languages/language-of.ts';
import { chained, digitString } from '../../../src/spoken/rules/digit-strings.ts';
import type { Reading } from '../../../src/spoken/rules/rule.ts';

function readingOf(text: string, tag: string): Reading {
  const language = spokenLanguageOf(tag);
  if (language === null) throw new Error(`The language ${tag} is unknown.`);
  return { text, language, region: '', numbers: language.numbers };
}

/** Returns the written digits at "¦", which is not part of the text, and the lengths of their spoken groups. */
function groupsOf(marked: string, tag = 'en'): readonly [written: string, lengths: readonly number[]] | null {
  const at = marked.indexOf('¦');
  const reading = readingOf(marked.replace('¦', ''), tag);
  const said = digitString(reading, at);
  if (said === null) return null;
  const groups = said.spoken.replace(/^plus /, '').split(', ');
  return [reading.text.slice(at, said.end), groups.map((group) => group.split(' ').length)];
}

describe('digitString', () => {
  it.each<[string, string, readonly number[]]>([
    ['¦+31612345678', '+31612345678', [3, 4, 4]],
    ['¦+31 6 12345678', '+31 6 12345678', [2, 1, 4, 4]],
    ['¦+31 (0)6 12345678', '+31 (0)6 12345678', [2, 1, 4, 4]],
    ['¦+1-415-555-0123', '+1-415-555-0123', [1, 3, 3, 4]],
    ['¦+44 20 7946 0958 now', '+44 20 7946 0958', [2, 2, 4, 4]],
    ['¦020 1234567', '020 1234567', [3, 3, 4]],
    ['¦(020) 1234567', '(020) 1234567', [3, 3, 4]],
    ['¦06-12345678', '06-12345678', [2, 4, 4]],
    ['¦06 12 34 56 78', '06 12 34 56 78', [2, 2, 2, 2, 2]],
    ['¦1-800-555-0123', '1-800-555-0123', [1, 3, 3, 4]],
    ['¦(415) 555-0123', '(415) 555-0123', [3, 3, 4]],
    ['¦415.555.0123', '415.555.0123', [3, 3, 4]],
    ['¦4111 1111 1111 1111', '4111 1111 1111 1111', [4, 4, 4, 4]],
    ['¦4111-1111-1111', '4111-1111-1111', [4, 4, 4]],
  ])('reads %j in the groups in which it is written', (text, written, lengths) => {
    expect(groupsOf(text)).toEqual([written, lengths]);
  });

  it('leaves the numbers after a complete one alone', () => {
    expect(groupsOf('¦06 12345678 12 people')?.[0]).toBe('06 12345678');
    expect(groupsOf('¦+31 6 12345678 5 times')?.[0]).toBe('+31 6 12345678');
  });

  it.each([
    ['a sum', '¦+5'],
    ['a short international number', '¦+31 6 12'],
    ['a short national number', '¦06 123'],
    ['a time', '¦09:30'],
    ['a whole number', '¦12345'],
    ['a number in groups', '¦100 200'],
    ['a code of other groups', '¦123-45-678'],
    ['a fourth group of three digits', '¦4111 1111 111'],
    ['a bracket', '¦(a)'],
    ['a sign without digits', '¦+ 5'],
  ])('reads no such digits in %s', (_, text) => {
    expect(groupsOf(text)).toBeNull();
  });

  it.each([
    ['fr', '¦01.23.45.67.89', [2, 2, 2, 2, 2]],
    ['pt', '¦(11) 91234-5678', [2, 5, 4]],
    ['ru', '¦8 (495) 123-45-67', [1, 3, 3, 2, 2]],
  ] as const)('knows the national format of %s: %j', (tag, text, lengths) => {
    expect(groupsOf(text, tag)).toEqual([text.slice(1), lengths]);
  });

  it('reads a postal code in Dutch only', () => {
    const dutch = digitString(readingOf('1234 AB', 'nl'), 0);
    expect(dutch).toEqual({ end: 7, spoken: 'een twee drie vier A B' });
    expect(digitString(readingOf('1234AB', 'nl'), 0)?.end).toBe(6);
    for (const [text, tag] of [
      ['1234 AB', 'en'],
      ['0234 AB', 'nl'],
      ['1234 ab', 'nl'],
      ['1234 ABC', 'nl'],
    ] as const) {
      expect(digitString(readingOf(text, tag), 0), text).toBeNull();
    }
  });

  it('reads a local number where the decimal mark is a dot', () => {
    expect(groupsOf('¦555-0123', 'en')).toEqual(['555-0123', [3, 4]]);
    expect(groupsOf('¦555-0123', 'nl')).toBeNull();
    expect(groupsOf('¦555-0123-4', 'en')).toBeNull();
  });
});

describe('chained', () => {
  const chain = (text: string) => chained(readingOf(text, 'en'), 0);

  it('reads numbers that are joined by more than one hyphen', () => {
    expect(chain('12-34-56')).toEqual({ end: 8, spoken: 'one two, three four, five six' });
    expect(chain('1-2-3-4')?.spoken).toBe('one, two, three, four');
  });

  it.each(['10-12', '10', '1-2-3a', '12-', 'a-1-2'])('reads no chained number in %j', (text) => {
    expect(chain(text)).toBeNull();
  });
});
