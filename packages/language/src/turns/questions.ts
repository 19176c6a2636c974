import { languageOf } from '../languages/language-of.ts';
import { wordsOf } from '../text/words.ts';

/**
 * Kind of answer that a question asks for: `yesNo` for "yes" or "no"; `details` for digits, a code or an address;
 * `name` for a name; `other` for anything else.
 */
export type QuestionKind = 'yesNo' | 'details' | 'name' | 'other';

/** Number of characters examined at the end of a text. */
const tailLength = 300;

/**
 * Returns the kind of answer that the last sentence of a text asks for; null if it is not a question or is a single
 * word.
 *
 * @param language BCP 47 tag.
 */
export function questionKind(text: string, language: string | undefined): QuestionKind | null {
  const tail = text.slice(-tailLength).trim();
  if (!/[?？]["'”’)]{0,3}$/.test(tail)) return null;
  const question =
    tail
      .slice(0, -1)
      .split(/[.!?…。！？]\s/)
      .at(-1) ?? '';
  const words = wordsOf(question);
  // A single word asks the caller to go on: "Yes?"
  if (words.length < 2) return null;
  const { spelling, turns } = languageOf(language);
  if (words.some((word) => spelling.nameCues.has(word))) return 'name';
  if (words.some((word) => spelling.cues.has(word) || spelling.emailCues.has(word))) return 'details';
  return turns.closedQuestions.has(words.slice(0, 2).join(' ')) ? 'yesNo' : 'other';
}
