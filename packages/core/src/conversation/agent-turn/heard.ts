import type { WordTiming } from '../../ports/providers/text-to-speech.ts';

/** A common pace of speech, for synthesizers that tell nothing of where their words lie. */
const lettersPerMs = 0.014;

/** What is known of the audio of an utterance. */
export interface UtteranceAudio {
  readonly words: readonly WordTiming[];
  readonly receivedMs: number;
  /** Whether that is all the audio of the text. */
  readonly complete: boolean;
}

/** The part of the text that had sounded after `playedMs`: up to the last word of which at least half was played. */
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
    // A synthesizer may time words that the text does not have (a number read out): those move nothing.
    if (at >= 0) end = at + text.length;
  }
  const closing = end === 0 ? null : /^[.,;:!?…)"'”’]+/.exec(full.slice(end));
  return full.slice(0, end + (closing?.[0].length ?? 0));
}

/** Without word times: letters are taken to be spoken at an even pace, and a word begun does not count. */
function byShare(full: string, share: number): string {
  if (share >= 1) return full;
  const end = full.lastIndexOf(' ', Math.floor(full.length * share));
  return end <= 0 ? '' : full.slice(0, end).trimEnd();
}
