import { spokenText, takeClauses } from '@va/language';
import type { Speech } from '../state/agent/agent-turn.ts';
import { audioMsOf, charactersAt } from './heard.ts';

/**
 * Returns the position in an utterance's audio, in milliseconds, where the sentence that plays at `playedMs` ends; null
 * for the last sentence, and while the position is not known.
 */
export function sentenceEndMs(speech: Speech, playedMs: number): number | null {
  const text = spokenText(speech.segments);
  // A speech-to-speech model sends a text with its audio, not before it.
  const audio = { ...speech, complete: speech.audioDone || speech.voiceOf !== null };
  const position = charactersAt(text, audio, playedMs);
  const end = sentenceEnds(text, speech.reading.language).find((each) => each >= position);
  return end === undefined ? null : audioMsOf(text, audio, end);
}

/** Returns the index after each sentence that another one follows. */
function sentenceEnds(text: string, language: string | undefined): number[] {
  let from = 0;
  return takeClauses(text, false, language).clauses.map((clause) => {
    from = Math.max(from, text.indexOf(clause, from)) + clause.length;
    return from;
  });
}
