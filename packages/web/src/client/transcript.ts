export interface WebCallTranscript {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** False for words that a later event replaces: the caller's so far, or what the agent begins to say. */
  readonly final: boolean;
  /** True if the caller interrupted the agent: `text` is what was heard. */
  readonly interrupted: boolean;
}

/** Adds words to a transcript, in place of those of the same side that were not final. */
export function withWords(
  before: readonly WebCallTranscript[],
  words: WebCallTranscript,
): readonly WebCallTranscript[] {
  const at = before.findLastIndex(({ role, final }) => role === words.role && !final);
  return at < 0 ? [...before, words] : before.with(at, words);
}
