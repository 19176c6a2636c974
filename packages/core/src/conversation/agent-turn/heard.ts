import type { WordTiming } from '../../ports/providers/text-to-speech.ts';

/** Common speaking rate, for synthesizers without word timestamps. */
const lettersPerMs = 0.014;

/** Known facts about the audio of an utterance. */
export interface UtteranceAudio {
  readonly words: readonly WordTiming[];
  readonly receivedMs: number;
  /** True if the audio of the text is complete. */
  readonly complete: boolean;
}

/**
 * Returns the text heard after `playedMs`: with word timestamps, up to the last word of which at least half was played;
 * without them, up to the last word that is estimated to be played whole.
 */
export function heardText(text: string, audio: UtteranceAudio, playedMs: number): string {
  if (playedMs <= 0) return '';
  if (audio.words.length > 0) return byWords(text, audio.words, playedMs);
  return byShare(text, playedMs / totalMsOf(text, audio));
}

/** Returns how many characters of a text have begun to be heard after `playedMs`. */
export function charactersAt(text: string, audio: UtteranceAudio, playedMs: number): number {
  if (playedMs <= 0) return 0;
  if (audio.words.length === 0) {
    return Math.min(text.length, Math.floor((text.length * playedMs) / totalMsOf(text, audio)));
  }
  return wordEnds(text, audio.words).findLast(({ word }) => word.startMs <= playedMs)?.end ?? 0;
}

/**
 * Returns the position in the audio, in milliseconds, where the first `length` characters of a text have been heard;
 * null if their words have no times yet.
 */
export function audioMsOf(text: string, audio: UtteranceAudio, length: number): number | null {
  if (audio.words.length === 0) return (totalMsOf(text, audio) * length) / text.length;
  // Punctuation has no time of its own.
  const last = text.slice(0, length).search(/[^\p{L}\p{N}]*$/u);
  return wordEnds(text, audio.words).find(({ end }) => end >= last)?.word.endMs ?? null;
}

function totalMsOf(text: string, { complete, receivedMs }: UtteranceAudio): number {
  return complete ? receivedMs : Math.max(receivedMs, text.length / lettersPerMs);
}

/** Returns each timed word with the index after it; words that are not in the text are skipped. */
function wordEnds(text: string, words: readonly WordTiming[]): { readonly word: WordTiming; readonly end: number }[] {
  let from = 0;
  return words.flatMap((word) => {
    const at = text.indexOf(word.text, from);
    if (at < 0) return [];
    from = at + word.text.length;
    return [{ word, end: from }];
  });
}

function byWords(full: string, words: readonly WordTiming[], playedMs: number): string {
  let end = 0;
  for (const { text, startMs, endMs } of words) {
    if ((startMs + endMs) / 2 > playedMs) break;
    const at = full.indexOf(text, end);
    // A synthesizer may time words that are not in the text (a number read out); they are skipped.
    if (at >= 0) end = at + text.length;
  }
  const closing = end === 0 ? null : /^[.,;:!?…)"'”’]+/.exec(full.slice(end));
  return full.slice(0, end + (closing?.[0].length ?? 0));
}

/**
 * Returns the text heard, without word timestamps: assumes an even pace per letter and leaves out the word that is
 * being played.
 */
function byShare(full: string, share: number): string {
  if (share >= 1) return full;
  const end = full.lastIndexOf(' ', Math.floor(full.length * share));
  return end <= 0 ? '' : full.slice(0, end).trimEnd();
}
