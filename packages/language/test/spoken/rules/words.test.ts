import { describe, expect, it } from 'vitest';
import { spokenLanguageOf } from '../../../src/languages/language-of.ts';
import { previousWord, word } from '../../../src/spoken/rules/words.ts';

/** Returns the written word at "¦", which is not part of the text, and how it is read. */
function read(marked: string, tag = 'en'): readonly [written: string, spoken: string] | null {
  const at = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const language = spokenLanguageOf(tag);
  if (language === null) throw new Error(`The language ${tag} is unknown.`);
  const said = word({ text, language, region: '', numbers: language.numbers }, at);
  return said === null ? null : [text.slice(at, said.end), said.spoken];
}

describe('an abbreviation', () => {
  it.each([
    ['¦Dr. Lee', 'Dr.', 'Doctor'],
    ['¦Dr Lee', 'Dr', 'Doctor'],
    ['¦approx. five', 'approx.', 'approximately'],
    ['and so on, ¦etc.', 'etc.', 'et cetera.'],
    ['¦etc. and more', 'etc.', 'et cetera'],
    ['"pens, ¦etc."', 'etc.', 'et cetera.'],
    ['¦e.g. this', 'e.g.', 'for example'],
    ['¦n/a', 'n/a', 'not applicable'],
    ['¦no. 5', 'no.', 'number'],
    ['¦No.5', 'No.', 'number'],
  ])('is read out: %j', (text, written, said) => {
    expect(read(text)).toEqual([written, said]);
  });

  it.each([
    ['a number word that is no abbreviation here', 'I said ¦no. Then'],
    ['a title without its dot before a small letter', '¦dr lee'],
    ['one without its dot', '¦approx five'],
    ['a longer word', '¦Drive. Then'],
    ['an unknown one', '¦xyz. Then'],
    ['a word before a hyphen', '¦well-known'],
    ['two words with a slash', '¦he/she'],
  ])('is not found in %s', (_, text) => {
    expect(read(text)).toBeNull();
  });
});

describe('an acronym', () => {
  it.each([
    ['¦FAQ', 'FAQ', 'F A Q'],
    ['¦PDFs', 'PDFs', 'P D Fs'],
    ['the ¦BBC.', 'BBC', 'B B C'],
    ['¦U.S. law', 'U.S.', 'U S'],
    ['in the ¦U.S.', 'U.S.', 'U S.'],
    ['¦B.V.', 'B.V.', 'B V.'],
  ])('is spelled: %j', (text, written, said) => {
    expect(read(text)).toEqual([written, said]);
  });

  it.each(['¦NASA', '¦HMM', '¦I', '¦Ab', '¦ABCDEFG', '¦MP3', '¦U.S.A', '¦ST'])('is not found in %j', (text) => {
    expect(read(text)).toBeNull();
  });
});

describe('a code', () => {
  it.each([
    ['¦AB1234567', 'AB1234567', 'A B, one two three, four five six seven'],
    ['¦A-12345', 'A-12345', 'A, one two three four five'],
    [
      '¦NL91 ABNA 0417 1643 00',
      'NL91 ABNA 0417 1643 00',
      'N L nine one, A B N A, zero four one seven, one six four three, zero zero',
    ],
    ['¦GB29NWBK60161331.', 'GB29NWBK60161331', 'G B two nine, N W B K, six zero one six, one three three one'],
  ])('is read in groups: %j', (text, written, said) => {
    expect(read(text)).toEqual([written, said]);
  });

  it.each(['¦A123', '¦ABCDE1234', '¦A12345b', '¦AB12 and CD34'])('is not found in %j', (text) => {
    expect(read(text)).toBeNull();
  });
});

describe('the sign for a number', () => {
  it.each(['¦n° 5', '¦nº5', '¦N°. 5'])('is read in %j', (text) => {
    expect(read(text, 'fr')?.[1]).toBe('numéro ');
  });

  it('needs a number after it', () => {
    expect(read('¦n° cinq', 'fr')).toBeNull();
  });
});

describe('previousWord', () => {
  it.each([
    ['May 5', 4, 'may'],
    ['Jan. 5', 5, 'jan'],
    ['in  1999', 4, 'in'],
    ['5', 0, ''],
    [' 5', 1, ''],
    ['(in 1999', 4, 'in'],
    [`${'a'.repeat(30)} 5`, 31, 'a'.repeat(20)],
  ])('before %j at %i is %j', (text, at, expected) => {
    expect(previousWord(text, at)).toBe(expected);
  });
});
