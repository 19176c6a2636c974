/** Returns the words of a text, in lower case: runs of letters, marks and digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Tells whether a text has each of the words, the last one as the beginning of a word. For adapters without an index. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const found = wordsOf(text);
  return words.every((word, at) =>
    found.some((each) => (at === words.length - 1 ? each.startsWith(word) : each === word)),
  );
}
