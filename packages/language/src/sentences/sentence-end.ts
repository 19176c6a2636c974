import type { SentenceWords } from '../languages/language.ts';
import { isSpace, wordBefore } from '../text/scan.ts';

const marks = '.!?…。！？';
/** Full-width marks, which need no space after them. */
const wideMarks = '。！？';
const closers = '"\'”’)]*_»';
const initials = /^(?:\p{Lu}\.){0,8}\p{Lu}$/u;
const lowerCase = /\p{Ll}/u;
const upperCase = /\p{Lu}/u;

export function isSentenceMark(char: string): boolean {
  return char !== '' && marks.includes(char);
}

/** Returns the index after the marks at `at` and the closing quotes or brackets behind them. */
export function markEnd(text: string, at: number): number {
  let end = at;
  while (isSentenceMark(text.charAt(end))) end += 1;
  while (text.charAt(end) !== '' && closers.includes(text.charAt(end))) end += 1;
  return end;
}

/**
 * Returns whether the marks from `at` to `end` end the sentence that starts at `start`; `unknown` until more text
 * arrives.
 */
export function endsSentence(
  text: string,
  start: number,
  at: number,
  end: number,
  words: SentenceWords,
): 'yes' | 'no' | 'unknown' {
  if (wideMarks.includes(text.charAt(at))) return 'yes';
  const after = text.charAt(end);
  if (after === '') return 'unknown';
  if (!isSpace(after)) return 'no';
  if (after === '\n') return 'yes';
  const next = nextWord(text, end);
  const first = text.charAt(at);
  const quoted = /["”»)\]]/.test(text.slice(at, end).slice(-3));
  if (quoted || first === '…' || text.startsWith('..', at)) {
    if (next === '') return 'unknown';
    return lowerCase.test(next.charAt(0)) ? 'no' : 'yes';
  }
  return first === '.' ? endsAtDot(text, start, at, next, words) : 'yes';
}

function endsAtDot(
  text: string,
  start: number,
  at: number,
  next: string,
  words: SentenceWords,
): 'yes' | 'no' | 'unknown' {
  const written = wordBefore(text, at, start);
  const word = written.toLowerCase();
  if (words.abbreviations.has(word)) return 'no';
  if (initials.test(written) && !words.capitalWords.has(word)) return 'no';
  if (words.lastAbbreviations.has(word)) return next === '' ? 'unknown' : upperCase.test(next.charAt(0)) ? 'yes' : 'no';
  if (words.numberAbbreviations.has(word)) return next === '' ? 'unknown' : /^[\d#]/.test(next) ? 'no' : 'yes';
  if (/^\d{1,3}$/.test(word)) return endsAtNumber(text, start, at, word, next, words);
  return 'yes';
}

/**
 * Decides whether a dot after a number ends the sentence: "1." numbers a line, and some languages write ordinals with a
 * dot.
 */
function endsAtNumber(
  text: string,
  start: number,
  at: number,
  word: string,
  next: string,
  words: SentenceWords,
): 'yes' | 'no' | 'unknown' {
  const from = at - word.length;
  if (text.slice(start, from).trim() === '') return 'no';
  if (words.dottedOrdinals === null || word.length > 2) return 'yes';
  const previous = wordBefore(text, from - 1, start).toLowerCase();
  if (words.dottedOrdinals.after.has(previous)) return 'no';
  const complete = /[.,;:!?]$/.test(next) || isSpace(text.charAt(text.indexOf(next, at) + next.length));
  if (next === '' || (!complete && upperCase.test(next.charAt(0)))) return 'unknown';
  const following = next.toLowerCase().replace(/[.,;:!?]$/, '');
  return lowerCase.test(next.charAt(0)) || words.dottedOrdinals.before.has(following) ? 'no' : 'yes';
}

/** Returns the word after at most 20 spaces at `end`, '' without one. */
function nextWord(text: string, end: number): string {
  return /^\s{1,20}["“„«(*_¡¿]{0,3}(\S{1,24})/.exec(text.slice(end, end + 48))?.[1] ?? '';
}
