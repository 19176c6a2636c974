/** Returns the words of a text, in lower case: runs of letters, marks and digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Tells, for adapters without an index, whether a text has each of the words, the last one as a word's beginning. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const found = wordsOf(text);
  return words.every((word, at) =>
    found.some((each) => (at === words.length - 1 ? each.startsWith(word) : each === word)),
  );
}
