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

/** Returns the text heard after `playedMs`: up to the last word of which at least half was played. */
export function heardText(text: string, audio: UtteranceAudio, playedMs: number): string {
  if (playedMs <= 0) return '';
  if (audio.words.length > 0) return byWords(text, audio.words, playedMs);
  const totalMs = audio.complete ? audio.receivedMs : Math.max(audio.receivedMs, text.length / lettersPerMs);
  return byShare(text, playedMs / totalMs);
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

/** Without word timestamps: assumes an even pace per letter; a word that has begun does not count. */
function byShare(full: string, share: number): string {
  if (share >= 1) return full;
  const end = full.lastIndexOf(' ', Math.floor(full.length * share));
  return end <= 0 ? '' : full.slice(0, end).trimEnd();
}
