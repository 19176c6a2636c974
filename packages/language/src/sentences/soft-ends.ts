import type { SentenceWords } from '../languages/language.ts';
import { isSpace, wordBefore } from '../text/scan.ts';

/** Minimum length of a first clause: this many words, and either one more word or `fewestLetters`. */
const fewestWords = 3;
const fewestLetters = 20;

/**
 * Returns the index after a first clause that ends within its sentence: after a comma, colon or dash, or before a
 * conjunction, and long enough not to sound cut off. Null if it cannot end at `at`.
 */
export function isSoftEnd(text: string, start: number, at: number, words: SentenceWords): number | null {
  const char = text.charAt(at);
  if (/[,;:]/.test(char) && isSpace(text.charAt(at + 1))) {
    const clause = text.slice(start, at);
    return isLongEnough(clause) || words.interjections.has(clause.trim().toLowerCase()) ? at + 2 : null;
  }
  if (!isSpace(char)) return null;
  // The clause is at most `longestClause` long here: `takeClauses` has cut longer ones at a space before.
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
