import type { SentenceWords } from '../languages/language.ts';
import { isSpace, wordBefore } from '../text/scan.ts';

/** A first clause has at least so many words, and either one more or so many letters. */
const fewestWords = 3;
const fewestLetters = 20;

/**
 * Where the first clause of a reply may end within its sentence: after a comma, colon or dash, or before a conjunction,
 * once it is long enough not to sound cut off. Null where it may not end at `at`.
 */
export function isSoftEnd(text: string, start: number, at: number, words: SentenceWords): number | null {
  const char = text.charAt(at);
  if (/[,;:]/.test(char) && isSpace(text.charAt(at + 1))) {
    const clause = text.slice(start, at);
    return isLongEnough(clause) || words.interjections.has(clause.trim().toLowerCase()) ? at + 2 : null;
  }
  if (!isSpace(char)) return null;
  // Only a clause that is still short is asked: a longer one would have been cut.
  const dash = /^\s[–—-]\s/.test(text.slice(at, at + 3));
  if (dash) return isLongEnough(text.slice(start, at)) && !/\d$/.test(text.slice(start, at)) ? at + 3 : null;
  const next = /^\s(\p{L}{1,12})\s/u.exec(text.slice(at, at + 14))?.[1];
  if (next === undefined || !words.conjunctions.has(next)) return null;
  const previous = wordBefore(text, at, start).toLowerCase();
  if (/\d/.test(previous) || words.numberParts.has(previous)) return null;
  return isLongEnough(text.slice(start, at)) ? at + 1 : null;
}

function isLongEnough(clause: string): boolean {
  const trimmed = clause.trim();
  const count = trimmed.split(/\s+/).length;
  return count > fewestWords || (count === fewestWords && trimmed.length >= fewestLetters);
}
