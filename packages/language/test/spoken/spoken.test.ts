import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SpokenOptions, spokenSegments, spokenText, writtenUpTo } from '../../src/spoken/spoken.ts';
import { adversarialPieces, expectLinear } from '../support/adversarial.ts';
import { addressRows } from './rows/addresses.ts';
import { calendarRows } from './rows/calendar.ts';
import { digitStringRows } from './rows/digit-strings.ts';
import { markupRows } from './rows/markup.ts';
import { moneyRows } from './rows/money.ts';
import { numberRows } from './rows/numbers.ts';
import { wordRows } from './rows/words.ts';

/** Any code point but a lone surrogate. The unit `binary` of fast-check first builds a table of a million entries. */
const anyCodePoint = fc.nat(0x10ffff - 0x800).map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));

const options = (language: string | undefined, more: Partial<SpokenOptions> = {}): SpokenOptions => ({
  language,
  normalize: true,
  pronunciations: [],
  ...more,
});

const said = (text: string, language?: string, more: Partial<SpokenOptions> = {}): string =>
  spokenText(spokenSegments(text, options(language, more)));

describe('spokenText', () => {
  describe.each([
    ['numbers', numberRows],
    ['money', moneyRows],
    ['dates and times', calendarRows],
    ['telephone numbers and codes', digitStringRows],
    ['addresses', addressRows],
    ['abbreviations and signs', wordRows],
    ['markup', markupRows],
  ])('of %s', (_, rows) => {
    it.each(rows)('reads (%s) %j as %j', (language, text, expected) => {
      expect(said(text, language)).toBe(expected);
    });
  });

  it('uses English without a language, and keeps figures of an unknown language', () => {
    expect(said('12%')).toBe('twelve percent');
    expect(said('12%', 'multi')).toBe('twelve percent');
    expect(said('**12%** 😀 ok', 'pl-PL')).toBe('12% ok');
  });

  it('keeps the text without normalization', () => {
    const text = '**€12** at 14:30, e.g. 😀';
    expect(spokenSegments(text, options('en', { normalize: false }))).toEqual([{ written: text, spoken: text }]);
  });

  it('keeps unchanged text in one segment', () => {
    const text = 'Nothing to change here, is there?';
    expect(spokenSegments(text, options('en'))).toEqual([{ written: text, spoken: text }]);
    expect(spokenSegments('', options('en'))).toEqual([]);
  });
});

describe('pronunciations', () => {
  const pronunciation = (text: string, say: string, case_sensitive = false) => ({ text, say, case_sensitive });

  it('replace whole words only, ignoring case unless set otherwise', () => {
    const pronunciations = [pronunciation('Vapi', 'vah pee'), pronunciation('IT', 'I T', true)];
    expect(said('vapi, VAPI and Vapix', 'en', { pronunciations })).toBe('vah pee, vah pee and Vapix');
    expect(said('It is IT', 'en', { pronunciations })).toBe('It is I T');
  });

  it('prefer the longest match and are not normalized again', () => {
    const pronunciations = [pronunciation('De Boer', 'duh boor'), pronunciation('De Boer 24', 'the 24/7 shop')];
    expect(said('De Boer 24 en De Boer', 'nl', { pronunciations })).toBe('the 24/7 shop en duh boor');
  });

  it('may contain or begin with signs', () => {
    const pronunciations = [pronunciation('C++', 'see plus plus'), pronunciation('.NET', 'dot net')];
    expect(said('C++ or .NET.', 'en', { pronunciations })).toBe('see plus plus or dot net.');
  });

  it('apply without normalization', () => {
    const pronunciations = [pronunciation('kWh', 'kilowattuur')];
    expect(said('5 kWh', 'nl', { normalize: false, pronunciations })).toBe('5 kilowattuur');
  });

  it('do not split an address', () => {
    const pronunciations = [pronunciation('acme', 'ack me')];
    expect(said('info of acme: acme.com', 'en', { pronunciations })).toBe('info of ack me: acme dot com');
  });

  it('match after letters whose lower case is longer', () => {
    expect(said('İİ acme', 'en', { pronunciations: [pronunciation('ACME', 'ack me')] })).toBe('İİ ack me');
  });
});

describe('segments', () => {
  it('contain the whole written text', () => {
    const piece = fc.oneof(
      fc.array(anyCodePoint, { maxLength: 6 }).map((characters) => characters.join('')),
      fc.constantFrom(
        '€ 12,50',
        '-5',
        '10-12',
        '**',
        '[a](b)',
        '😀',
        '🇳🇱',
        '14:30',
        '2026-11-21',
        '+31 6 12345678',
        'KVK',
      ),
      fc.constantFrom(
        ' ',
        '\n',
        '- ',
        '1. ',
        '| ',
        '1st',
        'e.g. ',
        'info@example.com',
        'https://a.nl/b',
        '3 km',
        '%',
        '/',
      ),
    );
    const language = fc.constantFrom('en-GB', 'nl', 'de', 'xx', undefined);
    const pronunciations = [{ text: 'KVK', say: 'Kamer', case_sensitive: false }];
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), language, (pieces, tag) => {
        const text = pieces.join('');
        const segments = spokenSegments(text, options(tag, { pronunciations }));
        expect(segments.map((segment) => segment.written).join('')).toBe(text);
        const full = spokenText(segments);
        if (full !== '') expect(writtenUpTo(segments, full.length)).toBe(text);
        expect(writtenUpTo(segments, 0)).toBe('');
        let last = '';
        for (let length = 1; length <= full.length; length += 7) {
          const written = writtenUpTo(segments, length);
          expect(text.startsWith(written)).toBe(true);
          expect(written.startsWith(last)).toBe(true);
          last = written;
        }
      }),
      { seed: 11, numRuns: 400 },
    );
  });

  it('count a number as heard only when it was spoken to its end', () => {
    const segments = spokenSegments('It costs €12.50 today.', options('en'));
    const full = spokenText(segments);
    expect(full).toBe('It costs twelve euros and fifty cents today.');
    const upTo = (words: string): string => writtenUpTo(segments, words.length);
    expect(upTo('It co')).toBe('It co');
    expect(upTo('It costs ')).toBe('It costs ');
    expect(upTo('It costs twelve euros')).toBe('It costs ');
    expect(upTo('It costs twelve euros and fifty cent')).toBe('It costs ');
    expect(upTo('It costs twelve euros and fifty cents')).toBe('It costs €12.50');
    expect(upTo('It costs twelve euros and fifty cents to')).toBe('It costs €12.50 to');
    expect(upTo(full)).toBe('It costs €12.50 today.');
  });

  it('count white space once, as it is spoken', () => {
    const segments = spokenSegments('  One 😀  two\n\nthree', options('en'));
    expect(spokenText(segments)).toBe('One two three');
    expect(writtenUpTo(segments, 'One'.length)).toBe('  One');
    expect(writtenUpTo(segments, 'One two'.length)).toBe('  One 😀  two');
  });

  it.each(adversarialPieces)('are made in linear time from repeated %s', (_, piece) => {
    const pronunciations = [{ text: 'aa', say: 'b', case_sensitive: false }];
    expectLinear(piece, (text) => {
      const made = spokenSegments(text, options('nl', { pronunciations }));
      writtenUpTo(made, text.length * 0.9);
    });
    expectLinear(piece, (text) => spokenSegments(text, options('en')));
    expectLinear(piece, (text) => spokenSegments(text, options('de')));
  });

  it.each(adversarialPieces)('contain the whole text of repeated %s', (_, piece) => {
    const text = piece.repeat(500);
    expect(
      spokenSegments(text, options('nl'))
        .map((segment) => segment.written)
        .join(''),
    ).toBe(text);
  });
});
