import { languageOf } from '../languages/language-of.ts';
import { isSpace, skipSpaces } from '../text/scan.ts';
import { matchingClose } from './brackets.ts';
import { endsSentence, isSentenceMark, markEnd } from './sentence-end.ts';
import { isSoftEnd } from './soft-ends.ts';

/** Maximum length of a clause in characters. Synthesizers lose intonation on longer ones. */
const longestClause = 200;

/**
 * Cuts complete clauses off the front of a growing text. Sentences and lines are complete; the first clause of a reply
 * may also end within its sentence, so that the agent starts to speak sooner. Ambiguous ends (an abbreviation, an open
 * quotation, a code block) are kept until more text arrives.
 *
 * @param language BCP 47 tag of the text.
 */
export function takeClauses(text: string, first: boolean, language?: string): { clauses: string[]; rest: string } {
  const words = languageOf(language).sentences;
  const clauses: string[] = [];
  let start = 0;
  for (;;) {
    const end = clauseEnd(text, start, first && clauses.length === 0, words);
    if (end === null) return { clauses, rest: text.slice(start) };
    const clause = text.slice(start, end).trim();
    if (clause !== '') clauses.push(clause);
    start = end;
  }
}

/** Returns the index after the clause that starts at `start` and the space behind it, or null if it is not complete. */
function clauseEnd(
  text: string,
  start: number,
  first: boolean,
  words: ReturnType<typeof languageOf>['sentences'],
): number | null {
  let at = start;
  let uncut = true;
  while (at < text.length) {
    const char = text.charAt(at);
    if (at - start >= longestClause && (uncut || isSpace(char))) {
      const cut = uncut ? lastCut(text, start) : at + 1;
      if (cut !== null) return cut;
      uncut = false;
    }
    if (char === '\n') return at + 1;
    if (text.startsWith('```', at)) {
      const close = text.indexOf('```', at + 3);
      if (close < 0) return null;
      at = close + 3;
      continue;
    }
    const close = matchingClose(text, at);
    if (close === 'open') return null;
    if (close !== null) {
      // Continue at a mark just inside the quotation: it may end the sentence around the quotation.
      at = isSentenceMark(text.charAt(close - 1)) ? close - 1 : close + 1;
      if (isSentenceMark(text.charAt(at))) {
        const ends = endsSentence(text, start, at, close + 1, words);
        if (ends === 'unknown') return null;
        if (ends === 'yes') return skipSpaces(text, close + 1);
        at = close + 1;
      }
      continue;
    }
    if (isSentenceMark(char)) {
      const stop = markEnd(text, at);
      const ends = endsSentence(text, start, at, stop, words);
      if (ends === 'unknown') return null;
      if (ends === 'yes') return skipSpaces(text, stop);
      at = stop;
      continue;
    }
    if (first) {
      const soft = isSoftEnd(text, start, at, words);
      if (soft !== null) return soft;
    }
    at += 1;
  }
  return null;
}

/** Returns where to cut a clause that is too long: after its last comma or else its last space, or null without one. */
function lastCut(text: string, start: number): number | null {
  const stop = start + longestClause;
  let space: number | null = null;
  for (let at = stop; at > start; at -= 1) {
    if (!isSpace(text.charAt(at))) continue;
    space ??= at + 1;
    if (/[,;:]/.test(text.charAt(at - 1))) return at + 1;
  }
  return space;
}
