import type { TimelineEntry } from '@va/testkit/scenarios';

/** The scripted voice takes so long for each letter, spaces and marks included. */
export const msPerLetter = 50;

type Heard = Extract<TimelineEntry, { agent: string }>;

/** The whole text is heard, from then on. */
export function heard(text: string, fromMs: number): Heard {
  return { agent: text, fromMs, toMs: fromMs + text.length * msPerLetter };
}

/** Of the text, so much is heard from then on: letters that sounded for half their time and more. */
export function cut(text: string, fromMs: number, toMs: number): Heard {
  return { agent: text.slice(0, letters(toMs - fromMs)), fromMs, toMs };
}

/** The rest of a text of which `playedMs` had been heard. */
export function rest(text: string, playedMs: number, fromMs: number): Heard {
  return { agent: text.slice(letters(playedMs)), fromMs, toMs: fromMs + text.length * msPerLetter - playedMs };
}

function letters(ms: number): number {
  return Math.round(ms / msPerLetter);
}
