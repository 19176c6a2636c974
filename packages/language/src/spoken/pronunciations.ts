import { isWordChar } from '../text/scan.ts';
import type { Pronunciation } from './pronunciation.ts';
import type { Said } from './rules/rule.ts';

/**
 * Returns a lookup of pronunciations by index in the text: whole words or phrases, the longest first. Null if there are
 * no pronunciations; the lookup returns null where none matches.
 */
export function pronunciationsIn(
  text: string,
  pronunciations: readonly Pronunciation[],
): ((at: number) => Said | null) | null {
  if (pronunciations.length === 0) return null;
  const folded = fold(text);
  const byFirst = new Map<string, { readonly key: string; readonly entry: Pronunciation }[]>();
  for (const entry of pronunciations.toSorted((a, b) => b.text.length - a.text.length)) {
    const key = fold(entry.text);
    const first = key.charAt(0);
    byFirst.set(first, [...(byFirst.get(first) ?? []), { key, entry }]);
  }
  return (at) => {
    const candidates = byFirst.get(folded.charAt(at));
    if (candidates === undefined) return null;
    if (isWordChar(text.charAt(at)) && isWordChar(text.charAt(at - 1))) return null;
    for (const { key, entry } of candidates) {
      const end = at + key.length;
      const isSame = entry.case_sensitive ? text.startsWith(entry.text, at) : folded.startsWith(key, at);
      if (isSame && !(isWordChar(text.charAt(end - 1)) && isWordChar(text.charAt(end))))
        return { end, spoken: entry.say };
    }
    return null;
  };
}

/** Converts to lower case without changing the length of the text. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, i) => {
    const char = text.charAt(i).toLowerCase();
    return char.length === 1 ? char : text.charAt(i);
  }).join('');
}
