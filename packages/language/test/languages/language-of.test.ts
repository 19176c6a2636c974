import { describe, expect, it } from 'vitest';
import { languageOf, regionOf, spokenLanguageOf } from '../../src/languages/language-of.ts';

const known = ['en', 'nl', 'de', 'fr', 'es', 'it', 'pt', 'ru'];

describe('languageOf', () => {
  it.each(known)('finds %s by its primary subtag, in any case and with any region', (tag) => {
    for (const each of [tag, tag.toUpperCase(), `${tag}-XX`, `${tag}_XX`]) expect(languageOf(each).tag).toBe(tag);
  });

  it('returns English for an unknown language and without a tag', () => {
    for (const tag of [undefined, '', 'pl', 'xx-YY']) expect(languageOf(tag).tag).toBe('en');
  });

  it.each(known)('has only words in lower case for %s', (tag) => {
    const { sentences, listening, turns, spelling, greetings } = languageOf(tag);
    const { screening, voicemail, ivr, likelyVoicemail, likelyIvr, human } = greetings;
    const words = [
      ...[sentences.abbreviations, sentences.lastAbbreviations, sentences.numberAbbreviations].flatMap((set) => [
        ...set,
      ]),
      ...[sentences.capitalWords, sentences.conjunctions, sentences.interjections].flatMap((set) => [...set]),
      ...[listening.backchannels, listening.answers, listening.softeners].flat(),
      ...[turns.unfinished, turns.hardlyFinished, turns.unfinishedPhrases].flatMap((set) => [...set]),
      ...[turns.finishedPhrases, turns.openings, turns.closedQuestions].flatMap((set) => [...set]),
      ...spelling.numbers.keys(),
      ...[screening, voicemail, ivr, likelyVoicemail, likelyIvr, human].flat(),
    ];
    expect(words.filter((word) => word !== word.toLowerCase() || word !== word.trim() || word === '')).toEqual([]);
  });

  it.each(known)('has all digits and signs of %s', (tag) => {
    const { spoken } = languageOf(tag);
    expect(new Set(spoken.digits).size).toBe(10);
    expect(Object.entries(spoken.signs).filter(([, word]) => word === '')).toEqual([]);
  });

  it.each(known)('has one-digit words for all digits of %s', (tag) => {
    const { spoken, spelling } = languageOf(tag);
    expect(spoken.digits.filter((digit) => spelling.numbers.get(digit) !== 1)).toEqual([]);
  });
});

describe('spokenLanguageOf', () => {
  it('returns English for tags that name no particular language', () => {
    for (const tag of [undefined, '', 'und', 'mul', 'multi', 'auto']) {
      expect(spokenLanguageOf(tag)).toBe(languageOf('en').spoken);
    }
  });

  it('returns null for an unknown language', () => {
    expect(spokenLanguageOf('pl-PL')).toBeNull();
  });
});

describe('regionOf', () => {
  it.each([
    ['en-GB', 'GB'],
    ['en_gb', 'GB'],
    ['zh-Hant-TW', 'TW'],
    ['pt-BR-x-private', 'BR'],
    ['nl', ''],
    ['', ''],
    ['sr-Latn', ''],
  ])('returns the region of %j as %j', (tag, region) => {
    expect(regionOf(tag)).toBe(region);
  });

  it('returns an empty text without a tag', () => {
    expect(regionOf(undefined)).toBe('');
  });
});
