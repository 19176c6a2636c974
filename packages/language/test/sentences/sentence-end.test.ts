import { describe, expect, it } from 'vitest';
import { de } from '../../src/languages/de.ts';
import { en } from '../../src/languages/en.ts';
import type { Language } from '../../src/languages/language.ts';
import { endsSentence, isSentenceMark, markEnd } from '../../src/sentences/sentence-end.ts';

/** Decides the first mark after "|", which is not part of the text. */
function decision(marked: string, { sentences }: Language = en, start = 0): 'yes' | 'no' | 'unknown' {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  return endsSentence(text, start, at, markEnd(text, at), sentences);
}

describe('isSentenceMark', () => {
  it.each(['.', '!', '?', '…', '。', '！', '？'])('accepts %s', (mark) => {
    expect(isSentenceMark(mark)).toBe(true);
  });

  it.each(['', ',', ';', ':', 'a', '·'])('refuses %j', (mark) => {
    expect(isSentenceMark(mark)).toBe(false);
  });
});

describe('markEnd', () => {
  it.each([
    ['Yes. No', 3, 4],
    ['Yes?! No', 3, 5],
    ['Yes... No', 3, 6],
    ['"Yes." No', 4, 6],
    ['(Yes!) No', 4, 6],
    ['**Yes.** No', 5, 8],
    ['«Oui.» Non', 4, 6],
    ['Yes', 3, 3],
  ])('includes in %j the marks at %i and the closing ones after them', (text, at, end) => {
    expect(markEnd(text, at)).toBe(end);
  });
});

describe('endsSentence', () => {
  it.each([
    ['I see|. Thank you', 'yes'],
    ['Really|? yes', 'yes'],
    ['Stop|! now', 'yes'],
    ['It is 5|.30', 'no'],
    ['example|.com', 'no'],
    ['I see|.', 'unknown'],
    ['I see|. ', 'yes'],
    ['e.g|.\nNext', 'yes'],
  ])('decides a plain mark: %j is %s', (text, expected) => {
    expect(decision(text)).toBe(expected);
  });

  it('needs no space after a full-width mark', () => {
    expect(decision('はい|。そうです')).toBe('yes');
    expect(decision('はい|。')).toBe('yes');
  });

  it.each([
    ['Dear Mr|. Jones', 'no'],
    ['See e.g|. the menu', 'no'],
    ['The U|. S. team', 'no'],
    ['J.R.R|. Tolkien', 'no'],
    ['It is I|. Come in', 'yes'],
  ])('does not end at a title or an initial: %j is %s', (text, expected) => {
    expect(decision(text)).toBe(expected);
  });

  it.each([
    ['Acme Inc|. Then', 'yes'],
    ['Acme Inc|. then', 'no'],
    ['at 5 p.m|. “The', 'yes'],
    ['Acme Inc|. ', 'unknown'],
  ])('ends at an abbreviation of the end of a sentence before a capital: %j is %s', (text, expected) => {
    expect(decision(text)).toBe(expected);
  });

  it.each([
    ['Room no|. 12', 'no'],
    ['Room no|. #12', 'no'],
    ['I said no|. Then', 'yes'],
    ['I said no|. ', 'unknown'],
  ])('does not end at an abbreviation before its number: %j is %s', (text, expected) => {
    expect(decision(text)).toBe(expected);
  });

  it.each([
    ['Wait|... there is more', 'no'],
    ['Wait|... There is more', 'yes'],
    ['Wait|… there', 'no'],
    ['Wait|… ', 'unknown'],
    ['He said "wait|." and left', 'no'],
    ['He said "wait|." And left', 'yes'],
    ['He said (wait|.) ', 'unknown'],
  ])('ends at an ellipsis or a quotation before a capital: %j is %s', (text, expected) => {
    expect(decision(text)).toBe(expected);
  });

  it('takes a number at the start of a sentence for that of a list', () => {
    expect(decision('1|. Call us')).toBe('no');
    expect(decision('  12|. Call us')).toBe('no');
    expect(decision('Done! 2|. Call us', en, 5)).toBe('no');
    expect(decision('We are 12|. Call us')).toBe('yes');
    expect(decision('1999|. Call us')).toBe('yes');
  });

  it.each([
    ['Kommen Sie am 3|. Mai ', 'no'],
    ['Heute ist 3|. Mai ', 'no'],
    ['Es ist Zimmer 3|. Bitte ', 'yes'],
    ['Es ist Zimmer 3|. Bit', 'unknown'],
    ['Es ist Zimmer 3|. ', 'unknown'],
    ['Er war 3|. geworden', 'no'],
    ['Es ist Zimmer 345|. Bitte ', 'yes'],
    ['Es ist Zimmer 3|. Mai, ', 'no'],
  ])('takes a dot after a German number for an ordinal beside its words: %j is %s', (text, expected) => {
    expect(decision(text, de)).toBe(expected);
  });

  it('reads no word across the start of the sentence', () => {
    // "mr" ends the sentence before; from its own start, the dot follows nothing.
    expect(decision('Dear mr|. Jones', en, 7)).toBe('yes');
  });
});
