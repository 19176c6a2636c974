import type { TimelineEntry } from '@va/testkit/scenarios';

/** Duration of a letter in the scripted TTS, spaces and punctuation included. */
const msPerLetter = 50;

type Heard = Extract<TimelineEntry, { agent: string }>;

/** Expects that the whole text is heard, starting at `fromMs`. */
export function heard(text: string, fromMs: number): Heard {
  return { agent: text, fromMs, toMs: fromMs + text.length * msPerLetter };
}

/** Expects the beginning of a text between two times: the letters of which at least half was heard. */
export function cut(text: string, fromMs: number, toMs: number): Heard {
  return { agent: text.slice(0, letters(toMs - fromMs)), fromMs, toMs };
}

/** Expects the rest of a text after `playedMs` of it had been heard. */
export function rest(text: string, playedMs: number, fromMs: number): Heard {
  return { agent: text.slice(letters(playedMs)), fromMs, toMs: fromMs + text.length * msPerLetter - playedMs };
}

function letters(ms: number): number {
  return Math.round(ms / msPerLetter);
}
