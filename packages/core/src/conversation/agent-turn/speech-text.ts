import {
  type SpokenOptions,
  type SpokenSegment,
  spokenSegments,
  spokenText,
  takeClauses,
  writtenUpTo,
} from '@va/language';
import type { Speech } from '../state/agent/agent-turn.ts';
import type { Emit } from '../state/effects.ts';
import { heardText } from './heard.ts';

/** One utterance of the agent, from its text to the synthesizer. */

interface SpeechOptions {
  /** Conversion of the text to its spoken form. */
  readonly reading: SpokenOptions;
  readonly retried?: boolean;
  readonly voiceOf?: number | null;
  readonly fixed?: boolean;
}

export function newSpeech(utterance: number, entry: number, options: SpeechOptions): Speech {
  const { reading, retried = false, voiceOf = null, fixed = false } = options;
  return {
    utterance,
    entry,
    reading,
    retried,
    voiceOf,
    fixed,
    segments: [],
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
    startedAtMs: null,
    finished: false,
  };
}

/** Returns the pieces that the synthesizer gets for a text spoken as its own utterance. */
export function piecesOf(text: string, reading: SpokenOptions): string[] {
  const pieces: string[] = [];
  const take: Emit = (effect) => {
    if (effect.type === 'speak') pieces.push(effect.text);
  };
  endText(addText(newSpeech(0, 0, { reading }), text, 0, take), 0, take);
  return pieces;
}

/** Appends text to an utterance; complete clauses go to the synthesizer. */
export function addText(speech: Speech, text: string, atMs: number, emit: Emit): Speech {
  if (speech.voiceOf !== null) return follow(speech, text, atMs, emit);
  const { clauses, rest } = takeClauses(speech.pending + text, speech.pushed === '', speech.reading.language);
  const spoken = clauses.reduce((each, clause) => push(each, clause, atMs, emit), speech);
  return { ...spoken, pending: rest };
}

/** Marks the text as complete; an utterance without text is finished at once. */
export function endText(speech: Speech, atMs: number, emit: Emit): Speech {
  if (speech.textDone) return speech;
  const rest = speech.pending.trim();
  const spoken = rest === '' ? speech : push(speech, rest, atMs, emit);
  if (!spoken.opened) return { ...spoken, pending: '', textDone: true, finished: true };
  emit({ type: 'end-utterance', utterance: spoken.utterance });
  return { ...spoken, pending: '', textDone: true };
}

/** Appends the words of speech that the model synthesizes itself. */
function follow(speech: Speech, text: string, atMs: number, emit: Emit): Speech {
  if (!speech.opened) {
    emit({ type: 'open-utterance', utterance: speech.utterance, generation: speech.voiceOf, fixed: false });
  }
  return {
    ...noted(speech, [{ written: text, spoken: text }]),
    opened: true,
    firstPushAtMs: speech.firstPushAtMs ?? atMs,
  };
}

function push(speech: Speech, clause: string, atMs: number, emit: Emit): Speech {
  const segments = spokenSegments(clause, speech.reading);
  const next = noted(speech, speech.pushed === '' ? segments : [{ written: ' ', spoken: ' ' }, ...segments]);
  const text = spokenText(segments);
  // A lone emoji has no spoken form.
  if (text === '') return next;
  if (!speech.opened) {
    emit({ type: 'open-utterance', utterance: speech.utterance, generation: null, fixed: speech.fixed });
  }
  emit({ type: 'speak', utterance: speech.utterance, text });
  return { ...next, opened: true, firstPushAtMs: speech.firstPushAtMs ?? atMs };
}

function noted(speech: Speech, more: readonly SpokenSegment[]): Speech {
  const written = more.map((segment) => segment.written).join('');
  return { ...speech, segments: [...speech.segments, ...more], pushed: speech.pushed + written };
}

/** Returns the written text heard after `playedMs` of the utterance. */
export function heardOf(speech: Speech, playedMs: number): string {
  const spoken = spokenText(speech.segments);
  const heard = heardText(spoken, { ...speech, complete: speech.audioDone }, playedMs);
  return writtenUpTo(speech.segments, heard.length).trim();
}

/** Splits a failed utterance where its audio ends: the audible part and the remaining text. */
export function splitAtLastAudio(speech: Speech): { sounding: Speech; rest: string } {
  const covered = heardOf(speech, speech.receivedMs);
  const rest = `${speech.pushed.trimStart().slice(covered.length)} ${speech.pending}`.replace(/\s+/g, ' ').trim();
  const segments = spokenSegments(covered, speech.reading);
  return { sounding: { ...speech, segments, pushed: covered, pending: '', textDone: true, audioDone: true }, rest };
}
