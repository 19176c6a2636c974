import { describe, expect, it } from 'vitest';
import { greetingHint } from '../../src/amd/greeting-hint.ts';
import { de } from '../../src/languages/de.ts';
import { en } from '../../src/languages/en.ts';
import { es } from '../../src/languages/es.ts';
import { fr } from '../../src/languages/fr.ts';
import { it as italian } from '../../src/languages/it.ts';
import { nl } from '../../src/languages/nl.ts';
import { pt } from '../../src/languages/pt.ts';
import { ru } from '../../src/languages/ru.ts';
import { wordsOf } from '../../src/text/words.ts';

/** Returns the entries that no recognized text can match. */
const unmatched = (entries: Iterable<string>, matches: (entry: string) => boolean): string[] =>
  [...entries].filter((entry) => !matches(entry));

/** Returns whether the entry is what wordsOf() makes of it, with that number of words. */
const isWords = (entry: string, least: number, most: number): boolean => {
  const words = wordsOf(entry);
  return words.join(' ') === entry && words.length >= least && words.length <= most;
};
const isWord = (entry: string): boolean => isWords(entry, 1, 1);

describe.each([en, nl, de, fr, es, italian, pt, ru])('the words of $tag', ({ tag, sentences, listening, ...words }) => {
  const { greetings, spelling, spoken, turns } = words;

  it('that decide by the last word of a turn are single words', () => {
    const sets = [turns.unfinished, turns.hardlyFinished, turns.pronouns, turns.openings];
    expect(unmatched(new Set(sets.flatMap((set) => [...set])), isWord)).toEqual([]);
  });

  it('that decide by a phrase at the end of a turn have at most four words', () => {
    expect(unmatched(turns.finishedPhrases, (phrase) => isWords(phrase, 1, 4))).toEqual([]);
    expect(unmatched(turns.unfinishedPhrases, (phrase) => isWords(phrase, 1, 4))).toEqual([]);
    expect(unmatched(turns.closedQuestions, (phrase) => isWords(phrase, 2, 2))).toEqual([]);
  });

  it('end a turn or do not, but not both', () => {
    const both = [...turns.finishedPhrases].filter(
      (phrase) => turns.unfinished.has(phrase) || turns.unfinishedPhrases.has(phrase),
    );
    expect(both).toEqual([]);
  });

  it('of a listener have one to four words once their marks are removed', () => {
    const phrases = [...listening.backchannels, ...listening.answers, ...listening.softeners];
    // Removes the marks as from a recognized text.
    expect(unmatched(phrases, (phrase) => isWords(wordsOf(phrase).join(' '), 1, 4))).toEqual([]);
  });

  it('of spelling are single words', () => {
    const { numbers, tens, doubles, marks, at, dot, cues, emailCues, nameCues } = spelling;
    const sets = [numbers.keys(), tens, doubles, marks, at, dot, cues, emailCues, nameCues];
    expect(unmatched(new Set(sets.flatMap((set) => [...set])), isWord)).toEqual([]);
    expect(unmatched(tens, (ten) => numbers.get(ten) === 2)).toEqual([]);
    for (const [digit, word] of spoken.digits.entries()) expect(numbers.get(word), String(digit)).toBe(1);
  });

  it('of sentences can stand before a dot or between spaces', () => {
    const { abbreviations, lastAbbreviations, numberAbbreviations, conjunctions, numberParts } = sentences;
    const shortened = [...abbreviations, ...lastAbbreviations, ...numberAbbreviations];
    expect(unmatched(shortened, (each) => /^[^\s.]\S{0,22}[^\s.]$|^[^\s.]$/.test(each))).toEqual([]);
    expect(unmatched(shortened, (each) => each === each.toLowerCase())).toEqual([]);
    expect(unmatched(conjunctions, (word) => /^\p{Ll}{1,12}$/u.test(word))).toEqual([]);
    expect(unmatched(numberParts, isWord)).toEqual([]);
  });

  it('of a greeting give the hint of their list, or one that is more certain', () => {
    const lists = [
      ['screening', greetings.screening],
      ['voicemail', greetings.voicemail],
      ['ivr', greetings.ivr],
      ['likely-voicemail', greetings.likelyVoicemail],
      ['human', greetings.human],
      ['likely-ivr', greetings.likelyIvr],
    ] as const;
    const order = lists.map(([hint]) => hint);
    for (const [hint, phrases] of lists) {
      const weaker = phrases.filter((phrase) => {
        const found = greetingHint(`Hello. ${phrase}!`, tag);
        return found === null || order.indexOf(found) > order.indexOf(hint);
      });
      expect(weaker, hint).toEqual([]);
    }
  });

  it('include one for each sign and digit', () => {
    expect(spoken.digits).toHaveLength(10);
    expect(Object.entries(spoken.signs).filter(([, word]) => word === '')).toEqual([]);
    expect([...spoken.abbreviations].filter(([written, said]) => written === '' || said === '')).toEqual([]);
  });
});
