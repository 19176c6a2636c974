/** Text of one side of a call. */
export interface WebCallTranscript {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** False for interim text, which a later event of the same side replaces. */
  readonly final: boolean;
  /** True if the caller interrupted the agent. `text` is the part that was played. */
  readonly interrupted: boolean;
}

/**
 * Returns the transcript with new text, which replaces interim text of the same side.
 * @example call.on('transcript', (words) => { lines = withWords(lines, words); render(lines); });
 */
export function withWords(
  before: readonly WebCallTranscript[],
  words: WebCallTranscript,
): readonly WebCallTranscript[] {
  const at = before.findLastIndex(({ role, final }) => role === words.role && !final);
  return at < 0 ? [...before, words] : before.with(at, words);
}
