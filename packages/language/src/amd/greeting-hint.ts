import type { GreetingPhrases } from '../languages/greeting-phrases.ts';
import { languageOf } from '../languages/language-of.ts';

/** What the words of a greeting tell of who answered; null for nothing. */
export type GreetingHint = 'screening' | 'voicemail' | 'ivr' | 'likely-voicemail' | 'likely-ivr' | 'human' | null;

/** Greetings say what they are within so many letters. */
const longestGreeting = 2_000;

/** Networks speak English to foreign callers: its phrases are looked for beside those of the language. */
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

/** The words with one space around each, without marks. */
function spaced(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[^\p{L}\p{N}'-]+/gu, ' ')
    .trim();
  return ` ${words} `;
}
