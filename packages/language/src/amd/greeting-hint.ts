import type { GreetingPhrases } from '../languages/greeting-phrases.ts';
import { languageOf } from '../languages/language-of.ts';

/** Hint that the words of a greeting give about who answered; null without one. */
export type GreetingHint = 'screening' | 'voicemail' | 'ivr' | 'likely-voicemail' | 'likely-ivr' | 'human' | null;

/** Maximum number of characters examined. */
const longestGreeting = 2_000;

/** Matches a greeting against the phrases of its language and of English, which networks speak to foreign callers. */
export function greetingHint(text: string, language: string | undefined): GreetingHint {
  const books = new Set([languageOf(language).greetings, languageOf('en').greetings]);
  const words = spaced(text.slice(0, longestGreeting));
  const says = (list: (phrases: GreetingPhrases) => readonly string[]): boolean =>
    [...books].some((book) => list(book).some((phrase) => words.includes(` ${phrase} `)));
  if (says((book) => book.screening)) return 'screening';
  if (says((book) => book.voicemail)) return 'voicemail';
  if (says((book) => book.ivr)) return 'ivr';
  if (says((book) => book.likelyVoicemail)) return 'likely-voicemail';
  if (says((book) => book.human)) return 'human';
  return says((book) => book.likelyIvr) ? 'likely-ivr' : null;
}

/** Returns the words without punctuation and with one space around each. */
function spaced(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[^\p{L}\p{N}'-]+/gu, ' ')
    .trim();
  return ` ${words} `;
}
