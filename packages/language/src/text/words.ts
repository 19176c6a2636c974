/**
 * Splits recognized text into words in lower case, without surrounding punctuation. Marks inside a word stay (uh-huh,
 * ma'am, info@example.com).
 */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .split(/[\s,;:!?¡¿…"“”„«»()[\]]+/)
    .map(trimMarks)
    .filter((word) => word !== '');
}

function trimMarks(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && /[.'\-–—*_]/.test(word.charAt(start))) start += 1;
  while (end > start && /[.'\-–—*_]/.test(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}

/** Returns the length in words of the longest phrase of the set at the end of the words; 0 for none. */
export function endingPhrase(words: readonly string[], phrases: ReadonlySet<string>, longest = 4): number {
  for (let length = Math.min(longest, words.length); length > 0; length -= 1) {
    if (phrases.has(words.slice(-length).join(' '))) return length;
  }
  return 0;
}
