import type { CutOff } from '@va/media';
import type { ActiveAgentTurn, Speech } from '../state/agent/agent-turn.ts';
import type { DueReply } from '../state/agent/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { hasPendingCalls } from '../state/tools/tool-ledger.ts';
import { isHeard, lowersVoice } from '../turns/turn-rules.ts';
import { measureTurn, noteInterruption } from './latency.ts';
import { agentEntry, changeEntry, replaceSpeech } from './reply.ts';
import { addText, endText, heardOf, newSpeech, splitAtLastAudio } from './speech-text.ts';

// Reducer functions for the agent's turn, second part: its utterances, from their audio to their end.

/** Updates an utterance that is being spoken; utterances that were cut off are ignored. */
export function changeSpeech(
  state: ConversationState,
  utterance: number,
  change: (speech: Speech) => Speech,
): ConversationState {
  const speech = findSpeech(state, utterance);
  if (speech === undefined || state.agentTurn.kind === 'silent') return state;
  return {
    ...state,
    agentTurn: { ...state.agentTurn, speeches: replaceSpeech(state.agentTurn.speeches, change(speech)) },
  };
}

function findSpeech(state: ConversationState, utterance: number): Speech | undefined {
  if (state.agentTurn.kind === 'silent') return undefined;
  return state.agentTurn.speeches.find((speech) => speech.utterance === utterance);
}

export function audioArrived(
  state: ConversationState,
  event: { utterance: number; durationMs: number; atMs: number },
): ConversationState {
  return changeSpeech(state, event.utterance, (speech) => ({
    ...speech,
    firstAudioAtMs: speech.firstAudioAtMs ?? event.atMs,
    receivedMs: speech.receivedMs + event.durationMs,
  }));
}

export function audioComplete(state: ConversationState, utterance: number, emit: Emit): ConversationState {
  if (findSpeech(state, utterance) === undefined) return state;
  emit({ type: 'finish-playout', utterance });
  return changeSpeech(state, utterance, (speech) => ({ ...speech, audioDone: true }));
}

export function playoutStarted(
  state: ConversationState,
  utterance: number,
  atMs: number,
  emit: Emit,
): ConversationState {
  const speech = findSpeech(state, utterance);
  if (speech === undefined || state.agentTurn.kind !== 'active') return state;
  emit({ type: 'notice', notice: { type: 'agent-speaking', text: speech.pushed } });
  return measureTurn(
    changeSpeech(
      { ...state, playout: { ...state.playout, firstSoundAtMs: state.playout.firstSoundAtMs ?? atMs } },
      utterance,
      (each) => ({
        ...each,
        started: true,
        startedAtMs: atMs,
      }),
    ),
    speech,
    atMs,
    emit,
  );
}

export function playoutFinished(
  state: ConversationState,
  utterance: number,
  atMs: number,
  emit: Emit,
): ConversationState {
  const speech = findSpeech(state, utterance);
  if (speech === undefined || state.agentTurn.kind !== 'active') return state;
  const heard: ConversationState = { ...state, agentTurn: { ...state.agentTurn, waitingSinceMs: atMs } };
  const told = addHeard(heard, speech, speech.pushed, false, emit);
  return changeSpeech(told, utterance, (each) => ({ ...each, finished: true }));
}

/**
 * Handles a failed synthesis: the audio received so far still plays, and the rest of the text is spoken in a new
 * utterance. `fatal` is true if the call has to end: the failure is not retryable, or the utterance was such a
 * repetition itself.
 */
export function synthesisFailed(
  state: ConversationState,
  event: { utterance: number; retryable: boolean; atMs: number },
  emit: Emit,
): { state: ConversationState; fatal: boolean } {
  const failed = findSpeech(state, event.utterance);
  if (failed === undefined || state.agentTurn.kind !== 'active') return { state, fatal: false };
  if (!event.retryable || failed.retried) return { state, fatal: true };
  const { sounding, rest } = splitAtLastAudio(failed);
  emit({ type: 'finish-playout', utterance: failed.utterance });
  const utterance = state.lastId + 1;
  const again = addText(
    newSpeech(utterance, failed.entry, { reading: failed.reading, retried: true }),
    rest,
    event.atMs,
    emit,
  );
  const second = failed.textDone ? endText(again, event.atMs, emit) : again;
  const speeches = [...replaceSpeech(state.agentTurn.speeches, sounding), second];
  return { state: { ...state, lastId: utterance, agentTurn: { ...state.agentTurn, speeches } }, fatal: false };
}

/**
 * Pauses the agent until words show whether the caller interrupts it. Cuts it off at once if there are words already,
 * if the caller does not hear the agent, or if `resume_after_ms` is 0.
 */
export function yieldFloor(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { resume_after_ms: resumeAfterMs } = state.config.speech.interruption;
  const words = state.userTurn.text;
  if (state.agentTurn.kind !== 'active' || resumeAfterMs === 0 || words !== '' || !isHeard(state)) {
    return cutAgentOff(state, atMs, emit);
  }
  emit({ type: 'pause-playout' });
  const paused: ConversationState = {
    ...state,
    agentTurn: { ...state.agentTurn, paused: { sinceMs: atMs, quietSinceMs: null } },
  };
  return noteInterruption(paused, atMs, emit);
}

/** Resumes a paused agent with the next sample, because the caller did not interrupt it. */
export function resumeAgent(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  if (state.agentTurn.kind !== 'active' || state.agentTurn.paused === null) return state;
  const pausedMs = atMs - state.agentTurn.paused.sinceMs;
  const speeches = state.agentTurn.speeches.map((speech) =>
    speech.startedAtMs === null ? speech : { ...speech, startedAtMs: speech.startedAtMs + pausedMs },
  );
  emit({ type: 'resume-playout' });
  emit({ type: 'notice', notice: { type: 'resumed' } });
  return { ...state, agentTurn: { ...state.agentTurn, speeches, paused: null } };
}

/** Lowers the agent's voice while the caller is or may be speaking over it, and raises it again. */
export function adjustLevel(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const isLowered = lowersVoice(state, atMs);
  if (isLowered === state.playout.isLowered) return state;
  emit({ type: 'set-voice-level', db: isLowered ? -state.config.speech.interruption.lower_db : 0 });
  return { ...state, playout: { ...state.playout, isLowered } };
}

/**
 * Sets when the speech that paused the agent was last heard; null while that speech goes on. Without a pause, nothing
 * changes.
 */
export function setPauseQuietSince(state: ConversationState, quietSinceMs: number | null): ConversationState {
  const { agentTurn } = state;
  if (agentTurn.kind !== 'active' || agentTurn.paused === null) return state;
  return { ...state, agentTurn: { ...agentTurn, paused: { ...agentTurn.paused, quietSinceMs } } };
}

/**
 * Stops model, synthesizer and playout.
 * @param spokenAtMs time of the interruption if the caller interrupted by speaking; null for other causes
 */
export function cutAgentOff(state: ConversationState, spokenAtMs: number | null, emit: Emit): ConversationState {
  const { agentTurn } = state;
  if (agentTurn.kind !== 'active') return state;
  if (agentTurn.llm !== null) emit({ type: 'cancel-llm', generation: agentTurn.llm.generation });
  const unfinished = agentTurn.speeches.filter((speech) => !speech.finished);
  for (const { utterance, opened } of unfinished) if (opened) emit({ type: 'cancel-utterance', utterance });
  emit({ type: 'clear-playout' });
  const isNews = agentTurn.paused === null && unfinished.some(({ started }) => started);
  return {
    ...(isNews ? noteInterruption(state, spokenAtMs, emit) : state),
    agentTurn: { kind: 'silent' },
    playout: { ...state.playout, isLowered: false, cutOff: [...state.playout.cutOff, ...unfinished] },
    reply: { ...state.reply, due: replyAfterCutOff(state, agentTurn) },
  };
}

/**
 * Returns the reply that is due after a cut-off: the one that waited for the floor, one that follows a tool call,
 * because the tool has taken effect, or one of which nothing was played, because a noise may have caused the cut-off.
 * Null otherwise.
 */
function replyAfterCutOff(state: ConversationState, agent: ActiveAgentTurn): DueReply | null {
  const { answers, toolSteps, entry } = agent;
  const { due } = state.reply;
  if (due !== null) return due.toolSteps === 0 ? due : { ...due, answers: null };
  if (hasPendingCalls(state.tools)) return { answers: null, toolSteps: toolSteps + 1 };
  const isReply = agent.llm !== null || answers !== null;
  const begun = agent.speeches.some((speech) => speech.entry === entry && speech.started);
  return isReply && !begun ? { answers, toolSteps } : null;
}

/** Stores how much of each interrupted utterance was heard, by the positions that the playout reports. */
export function playoutCleared(state: ConversationState, cut: readonly CutOff[], emit: Emit): ConversationState {
  const told = state.playout.cutOff.reduce((each, speech) => {
    const playedMs = cut.find(({ utterance }) => utterance === speech.utterance)?.playedMs ?? 0;
    if (speech.voiceOf !== null) emit({ type: 'cut-short', utterance: speech.utterance, playedMs });
    return addHeard(each, speech, heardOf(speech, playedMs), true, emit);
  }, state);
  return { ...told, playout: { ...told.playout, cutOff: [] } };
}

function addHeard(
  state: ConversationState,
  speech: Speech,
  words: string,
  interrupted: boolean,
  emit: Emit,
): ConversationState {
  const entry = agentEntry(state, speech.entry);
  const heard = [entry.heard, words].filter((part) => part !== '').join(' ');
  const full = entry.full.trim();
  if (speech.started || words !== '') {
    emit({ type: 'notice', notice: { type: 'agent-spoke', full, heard, interrupted } });
  }
  return changeEntry(state, speech.entry, (each) => ({ ...each, heard, interrupted }));
}

/** Ends the agent's turn when the model has finished and all audio was played. */
export function settleTurn(state: ConversationState): ConversationState {
  const { agentTurn } = state;
  if (agentTurn.kind !== 'active' || agentTurn.llm !== null || agentTurn.speeches.some((speech) => !speech.finished))
    return state;
  // Continuing after tools is the same turn.
  if (state.reply.due !== null && state.reply.due.toolSteps > 0 && state.phase.kind === 'open') return state;
  return { ...state, agentTurn: { kind: 'silent' } };
}
