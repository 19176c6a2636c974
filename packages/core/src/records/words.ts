/** Returns the words of a text, in lower case: runs of letters, marks and digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/**
 * Returns true if a text has each of the words, the last one as the beginning of a word. For adapters without an index.
 *
 * @param textWords words of the text, by `wordsOf`
 */
export function hasWords(textWords: readonly string[], words: readonly string[]): boolean {
  return words.every((word, at) =>
    textWords.some((each) => (at === words.length - 1 ? each.startsWith(word) : each === word)),
  );
}
