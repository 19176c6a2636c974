import type { Emit } from './effects.ts';
import { heardText } from './heard.ts';
import type { Speech } from './state.ts';
import { takeClauses } from './text/clauses.ts';

/** One utterance of the agent, from its text to the synthesizer. */

export function newSpeech(
  utterance: number,
  entry: number,
  {
    retried = false,
    voiceOf = null,
    fixed = false,
  }: { retried?: boolean; voiceOf?: number | null; fixed?: boolean } = {},
): Speech {
  return {
    utterance,
    entry,
    retried,
    voiceOf,
    fixed,
    pushed: '',
    pending: '',
    opened: false,
    textDone: false,
    audioDone: false,
    firstPushAtMs: null,
    firstAudioAtMs: null,
    receivedMs: 0,
    words: [],
    started: false,
    finished: false,
  };
}

/** More text of the utterance: what makes whole clauses goes to the synthesizer. */
export function addText(speech: Speech, text: string, atMs: number, emit: Emit): Speech {
  if (speech.voiceOf !== null) return follow(speech, text, atMs, emit);
  const { clauses, rest } = takeClauses(speech.pending + text, speech.pushed === '');
  const spoken = clauses.reduce((each, clause) => push(each, clause, atMs, emit), speech);
  return { ...spoken, pending: rest };
}

/** The text is complete; an utterance that never got any is finished at once. */
export function endText(speech: Speech, atMs: number, emit: Emit): Speech {
  if (speech.textDone) return speech;
  const rest = speech.pending.trim();
  const spoken = rest === '' ? speech : push(speech, rest, atMs, emit);
  if (!spoken.opened) return { ...spoken, pending: '', textDone: true, finished: true };
  emit({ type: 'end-utterance', utterance: spoken.utterance });
  return { ...spoken, pending: '', textDone: true };
}

/** The words of speech that is made already: they are noted as they come. */
function follow(speech: Speech, text: string, atMs: number, emit: Emit): Speech {
  if (!speech.opened)
    emit({ type: 'open-utterance', utterance: speech.utterance, generation: speech.voiceOf, fixed: false });
  return { ...speech, opened: true, pushed: speech.pushed + text, firstPushAtMs: speech.firstPushAtMs ?? atMs };
}

function push(speech: Speech, clause: string, atMs: number, emit: Emit): Speech {
  if (!speech.opened) {
    emit({ type: 'open-utterance', utterance: speech.utterance, generation: null, fixed: speech.fixed });
  }
  emit({ type: 'speak', utterance: speech.utterance, text: clause });
  return {
    ...speech,
    opened: true,
    pushed: speech.pushed === '' ? clause : `${speech.pushed} ${clause}`,
    firstPushAtMs: speech.firstPushAtMs ?? atMs,
  };
}

/** What the caller has heard once `playedMs` of the utterance were played. */
export function heardOf(speech: Speech, playedMs: number): string {
  return heardText(speech.pushed, { ...speech, complete: speech.audioDone }, playedMs);
}

/** Cuts a failed utterance where its audio ends: the part that sounds, and the text that is left to say. */
export function splitAtLastAudio(speech: Speech): { sounding: Speech; rest: string } {
  const covered = heardOf(speech, speech.receivedMs);
  const rest = `${speech.pushed.slice(covered.length)} ${speech.pending}`.replace(/\s+/g, ' ').trim();
  return { sounding: { ...speech, pushed: covered, pending: '', textDone: true, audioDone: true }, rest };
}
