import type { Language } from '../languages/language.ts';
import { languageOf } from '../languages/language-of.ts';
import { endingPhrase, wordsOf } from '../text/words.ts';
import { answersQuestion } from './backchannels.ts';
import { addressTail, isWholeCode, spelledTail } from './spelled.ts';

/** Number of characters examined at the end of a turn. */
const tailLength = 300;
/** Minimum number of words of a complete question without a question mark. */
const wholeQuestionWords = 5;

/** How complete the words of a turn are. See `completeness`. */
export type Completeness = 'complete' | 'open' | 'unfinished' | 'spelling';

/**
 * Estimates whether the caller has finished: `complete` (an answer, a whole sentence, a whole number or address),
 * `unfinished` (the last words need more), `spelling` (digits or letters are being given one by one), or `open` (the
 * words do not decide).
 *
 * @param language BCP 47 tag.
 */
export function completeness(text: string, language: string | undefined): Completeness {
  const tail = text.slice(-tailLength).trim();
  const words = wordsOf(tail);
  const last = words.at(-1);
  if (last === undefined) return 'open';
  const known = languageOf(language);
  const isQuestion = /[?？]["'”’)]{0,3}$/.test(tail);
  const spelled = spelling(words, known);
  if (spelled !== null) return isQuestion ? 'complete' : spelled;
  if (isQuestion) return 'complete';
  if (/(?:[,:\-–—…]|\.\.)$/.test(tail)) return 'unfinished';
  return byWords(tail, words, last, known);
}

/**
 * Returns true if a text is complete without its final mark as well: recognizers set a full stop after most pauses,
 * also within a sentence.
 *
 * @param language BCP 47 tag.
 */
export function isCompleteByWords(text: string, language: string | undefined): boolean {
  return completeness(text.trim().replace(/[.!。！]["'”’)]{0,3}$/, ''), language) === 'complete';
}

/**
 * Returns true if the last sentence begins with a clause or phrase that stands before a main clause ("If you like",
 * "For two people"), and no comma shows that the main clause has begun.
 *
 * @param language BCP 47 tag.
 */
export function isOpening(text: string, language: string | undefined): boolean {
  const tail = text
    .slice(-tailLength)
    .trim()
    .replace(/[.!?…。！？]["'”’)]{0,3}$/, '');
  const sentence = tail.split(/[.!?…。！？]\s/).at(-1) ?? '';
  const [first = ''] = wordsOf(sentence);
  return languageOf(language).turns.openings.has(first) && !sentence.includes(',');
}

function byWords(
  tail: string,
  words: readonly string[],
  last: string,
  { tag, turns }: Language,
): 'complete' | 'open' | 'unfinished' {
  if (answersQuestion(tail, tag) && !turns.unfinished.has(last)) return 'complete';
  const finished = endingPhrase(words, turns.finishedPhrases);
  const unfinished = endingPhrase(words, turns.unfinishedPhrases);
  if (finished > unfinished) return 'complete';
  if (unfinished > 0 || turns.unfinished.has(last)) return 'unfinished';
  const isMarked = /[.!。！]["'”’)]{0,3}$/.test(tail);
  if (turns.hardlyFinished.has(last)) {
    if (isShortAnswer(words, tag, turns.pronouns)) return 'complete';
    return isMarked ? 'open' : 'unfinished';
  }
  if (isMarked) return 'complete';
  const isClosed = turns.closedQuestions.has(words.slice(0, 2).join(' '));
  return isClosed && words.length >= wholeQuestionWords ? 'complete' : 'open';
}

/** Matches an answer, a pronoun and an auxiliary: "yes, I do". */
function isShortAnswer(words: readonly string[], tag: string, pronouns: ReadonlySet<string>): boolean {
  const before = words.slice(0, -2).join(' ');
  return before !== '' && pronouns.has(words.at(-2) ?? '') && answersQuestion(before, tag);
}

function spelling(words: readonly string[], { spelling: known }: Language): 'complete' | 'spelling' | null {
  const address = addressTail(words, known);
  if (address !== null) return address === 'whole' ? 'complete' : 'spelling';
  const spelled = spelledTail(words, known);
  if (isWholeCode(words, spelled)) return 'complete';
  if (spelled.words === 0 || spelled.pieces.every((piece) => piece === 'mark')) return null;
  const before = words.slice(0, words.length - spelled.words);
  if (before.some((word) => known.cues.has(word) || known.emailCues.has(word))) return 'spelling';
  const last = words.at(-1) ?? '';
  if (/^0\d/.test(last) || spelled.digits >= 5) return 'spelling';
  const isOneNumber = spelled.words === 2 && known.tens.has(words.at(-2) ?? '');
  return spelled.words >= 2 && !isOneNumber ? 'spelling' : null;
}
