import { matchAt, type Said } from './rule.ts';

const picture = String.raw`\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}`;
const joint = String.raw`[\u200d\ufe0f\ufe0e\u20e3]|[\u{e0020}-\u{e007f}]`;
/**
 * A run of emoji with their modifiers and joiners (skin tones, zero-width joiners, variation selectors, keycaps, tags),
 * and pairs of regional indicators, which are flags.
 */
const run = new RegExp(String.raw`(?![#*\d©®™])(?:${picture}|\ufe0f|\u20e3)(?:${picture}|${joint}){0,400}`, 'uy');

/** Skips emoji. */
export function emoji(text: string, at: number): Said | null {
  const found = matchAt(run, text, at);
  return found === null ? null : { end: at + found[0].length, spoken: ' ' };
}
