import { describe, expect, it } from 'vitest';
import { de } from '../../src/languages/de.ts';
import { en } from '../../src/languages/en.ts';
import { es } from '../../src/languages/es.ts';
import { fr } from '../../src/languages/fr.ts';
import { it as italian } from '../../src/languages/it.ts';
import { nl } from '../../src/languages/nl.ts';
import { pt } from '../../src/languages/pt.ts';
import { ru } from '../../src/languages/ru.ts';
import { endsSentence, markEnd } from '../../src/sentences/sentence-end.ts';
import { answersQuestion, isBackchannel } from '../../src/turns/backchannels.ts';
import { completeness, isOpening } from '../../src/turns/completeness.ts';
import { questionKind } from '../../src/turns/questions.ts';

/** Returns the entries of a list that are not judged as their list says. */
const misjudged = (entries: Iterable<string>, isJudged: (entry: string) => boolean): string[] =>
  [...entries].filter((entry) => !isJudged(entry));

describe.each([en, nl, de, fr, es, italian, pt, ru])('each word of $tag', (language) => {
  const { tag, listening, sentences, spelling, spoken, turns } = language;

  it('of a listener is a backchannel', () => {
    expect(misjudged(listening.backchannels, (phrase) => isBackchannel(phrase, tag, []))).toEqual([]);
    expect(misjudged(listening.backchannels, (phrase) => !isBackchannel(`${phrase}?`, tag, []))).toEqual([]);
  });

  it('of an answer answers a question, also beside a softener', () => {
    expect(misjudged(listening.answers, (answer) => answersQuestion(answer, tag))).toEqual([]);
    const [answer = ''] = listening.answers;
    expect(misjudged(listening.softeners, (softener) => answersQuestion(`${answer}, ${softener}`, tag))).toEqual([]);
  });

  it('that finishes a turn makes it complete', () => {
    expect(misjudged(turns.finishedPhrases, (phrase) => completeness(`Xyz ${phrase}`, tag) === 'complete')).toEqual([]);
  });

  it('that never ends a turn leaves it unfinished, also before a full stop', () => {
    for (const stop of ['', '.']) {
      const isUnfinished = (phrase: string): boolean => completeness(`Xyz ${phrase}${stop}`, tag) === 'unfinished';
      expect(misjudged(turns.unfinished, isUnfinished)).toEqual([]);
      expect(misjudged(turns.unfinishedPhrases, isUnfinished)).toEqual([]);
    }
  });

  it('that rarely ends a turn leaves it unfinished, or open before a full stop', () => {
    const isRare = (word: string): boolean => !turns.unfinished.has(word) && !turns.unfinishedPhrases.has(word);
    const rare = [...turns.hardlyFinished].filter(isRare);
    expect(misjudged(rare, (word) => completeness(`Xyz ${word}`, tag) === 'unfinished')).toEqual([]);
    expect(misjudged(rare, (word) => completeness(`Xyz ${word}.`, tag) === 'open')).toEqual([]);
  });

  it('that begins a clause before the main one is an opening', () => {
    expect(misjudged(turns.openings, (word) => isOpening(`${word} xyz.`, tag))).toEqual([]);
    expect(misjudged(turns.openings, (word) => !isOpening(`${word} xyz, xyz.`, tag))).toEqual([]);
  });

  it('of a question says what it asks for', () => {
    const { cues, emailCues, nameCues } = spelling;
    expect(misjudged(nameCues, (cue) => questionKind(`Xyz ${cue}?`, tag) === 'name')).toEqual([]);
    const details = [...cues, ...emailCues].filter((cue) => !nameCues.has(cue));
    expect(misjudged(details, (cue) => questionKind(`Xyz ${cue}?`, tag) === 'details')).toEqual([]);
    expect(misjudged(turns.closedQuestions, (start) => questionKind(`${start} xyz?`, tag) === 'yesNo')).toEqual([]);
  });

  it('of spelling belongs to a number or an address', () => {
    expect(completeness(`Xyz ${spoken.digits.join(' ')}`, tag)).toBe('complete');
    const [digit = ''] = spoken.digits;
    const isSpelling = (text: string): boolean => completeness(text, tag) === 'spelling';
    expect(misjudged(spelling.cues, (cue) => isSpelling(`${cue} ${digit}`))).toEqual([]);
    expect(misjudged(spelling.marks, (mark) => isSpelling(`${digit} ${mark} ${digit}`))).toEqual([]);
    const [dot = ''] = spelling.dot;
    expect(misjudged(spelling.at, (at) => completeness(`xyz ${at} xyz ${dot} com`, tag) === 'complete')).toEqual([]);
    const [at = ''] = spelling.at;
    expect(misjudged(spelling.dot, (each) => completeness(`xyz ${at} xyz ${each} com`, tag) === 'complete')).toEqual(
      [],
    );
  });

  it('of a sentence decides whether a dot ends it', () => {
    const ends = (word: string, next: string): string => {
      const text = `Xyz ${word}. ${next}`;
      const at = text.indexOf('. ', 'Xyz '.length + word.length);
      return endsSentence(text, 0, at, markEnd(text, at), sentences);
    };
    const { abbreviations, capitalWords, lastAbbreviations, numberAbbreviations } = sentences;
    expect(misjudged(abbreviations, (word) => ends(word, 'Xyz') === 'no')).toEqual([]);
    const last = [...lastAbbreviations].filter((word) => !abbreviations.has(word));
    expect(misjudged(last, (word) => ends(word, 'Xyz') === 'yes' && ends(word, 'xyz') === 'no')).toEqual([]);
    const beforeNumbers = [...numberAbbreviations].filter((word) => !abbreviations.has(word) && !last.includes(word));
    expect(misjudged(beforeNumbers, (word) => ends(word, '5') === 'no' && ends(word, 'Xyz') === 'yes')).toEqual([]);
    const capitals = [...capitalWords].filter((word) => !abbreviations.has(word) && !numberAbbreviations.has(word));
    expect(misjudged(capitals, (word) => ends(word.toUpperCase(), 'Xyz') === 'yes')).toEqual([]);
  });
});
