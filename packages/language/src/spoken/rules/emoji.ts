import { matchAt, type Said } from './rule.ts';

/**
 * A run of emoji: pictures with what modifies and joins them (skin tones, zero-width joiners, variation selectors,
 * keycaps, tags) and pairs of regional indicators, which are flags.
 */
const run =
  /(?![#*\d©®™])(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\ufe0f|\u20e3)(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200d\ufe0f\ufe0e\u20e3]|[\u{e0020}-\u{e007f}]){0,400}/uy;

/** Emoji are not spoken. */
export function emoji(text: string, at: number): Said | null {
  const found = matchAt(run, text, at);
  return found === null ? null : { end: at + found[0].length, spoken: ' ' };
}
