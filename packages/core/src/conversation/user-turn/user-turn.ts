import { answersQuestion, completeness, isCompleteByWords, isOpening } from '@va/language';
import type { SpeechTail } from '@va/media';
import { cutAgentOff, resumeAgent, setPauseQuietSince } from '../agent-turn/playout.ts';
import { dropPreemption, keepFitting, prepareReply } from '../agent-turn/preemption.ts';
import { requestReply } from '../agent-turn/reply.ts';
import type { TurnEnd } from '../state/agent/agent-turn.ts';
import { idleUserTurn, type UserTurn } from '../state/caller/user-turn.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { pendingCalls } from '../state/tools/tool-ledger.ts';
import { cancelUnwantedTools } from '../tools/cancel-unwanted.ts';
import { forgetPause, learnPause } from '../turns/pauses.ts';
import { interruptsByWords, isListening, mayInterrupt, startsTurn, turnInterrupts } from '../turns/turn-rules.ts';
import { askAgain } from './ask-again.ts';

// Reducer functions for the caller's turn: its speech, its words and its end.

/** Time after the end of a turn within which the recognizer's late answer is still expected. */
const lateAnswerMs = 1_000;

export function speechStarted(
  state: ConversationState,
  onsetAtMs: number,
  atMs: number,
  emit: Emit,
): ConversationState {
  const { userTurn } = state;
  if (userTurn.kind === 'idle' && !startsTurn(state, { type: 'speech' })) return dismissed(state);
  emit({ type: 'stt-speech-started' });
  emit({ type: 'notice', notice: { type: 'user-speaking' } });
  // An ending turn continues; the duration of an interruption counts from the new start of speech.
  const begun: UserTurn = {
    ...userTurn,
    kind: 'speaking',
    startedAtMs: userTurn.kind === 'idle' ? onsetAtMs : userTurn.startedAtMs,
    voicedSinceMs: onsetAtMs,
    pausedAtMs: null,
    voiced: true,
    tail: null,
    lastSpeechAtMs: atMs,
    isAnswered: false,
  };
  const learnedPauseMs = learnPause(state.caller.learnedPauseMs, pauseBefore(state, onsetAtMs));
  return setPauseQuietSince(
    {
      ...state,
      userTurn: begun,
      caller: { ...state.caller, learnedPauseMs, isSuspected: false },
      silence: { ...state.silence, prompts: 0 },
    },
    null,
  );
}

/** Records that a sound may become speech. */
export function suspected(state: ConversationState): ConversationState {
  return { ...state, caller: { ...state.caller, isSuspected: true } };
}

/** Records that a suspected sound was no speech, or that its speech starts no turn. */
export function dismissed(state: ConversationState): ConversationState {
  return { ...state, caller: { ...state.caller, isSuspected: false } };
}

/**
 * Returns the length of the caller's pause before this speech; 0 if the speech begins a new turn. A pause that was
 * taken for the end of a turn counts, too, if the agent had not spoken yet.
 */
function pauseBefore({ userTurn, agentTurn, tools: ledger }: ConversationState, onsetAtMs: number): number {
  if (userTurn.kind === 'ending') return userTurn.voiced ? onsetAtMs - userTurn.lastSpeechAtMs : 0;
  if (userTurn.kind !== 'idle' || agentTurn.kind !== 'active' || agentTurn.answers === null) return 0;
  // A caller who waited for a tool, or heard something, starts another turn.
  const isAnswered =
    agentTurn.toolSteps > 0 || pendingCalls(ledger).length > 0 || agentTurn.speeches.some((each) => each.started);
  return isAnswered ? 0 : onsetAtMs - agentTurn.answers.lastSpeechAtMs;
}

export function speechPaused(state: ConversationState, lastSpeechAtMs: number, atMs: number): ConversationState {
  if (state.userTurn.kind !== 'speaking') return state;
  return { ...state, userTurn: { ...state.userTurn, lastSpeechAtMs, pausedAtMs: state.userTurn.pausedAtMs ?? atMs } };
}

export function speechResumed(state: ConversationState, atMs: number): ConversationState {
  const { kind, pausedAtMs, voicedSinceMs } = state.userTurn;
  if (kind !== 'speaking' || pausedAtMs === null) return state;
  return {
    ...state,
    userTurn: { ...state.userTurn, pausedAtMs: null, voicedSinceMs: voicedSinceMs + (atMs - pausedAtMs) },
  };
}

export function speechEnded(
  state: ConversationState,
  { lastSpeechAtMs, tail, atMs }: { lastSpeechAtMs: number; tail: SpeechTail; atMs: number },
  emit: Emit,
): ConversationState {
  if (state.userTurn.kind !== 'speaking') return state;
  return setPauseQuietSince(
    finalizeWords({ ...state, userTurn: { ...state.userTurn, kind: 'ending', lastSpeechAtMs, tail } }, atMs, emit),
    lastSpeechAtMs,
  );
}

/** Requests the recognizer's final words of the turn so far. */
export function finalizeWords(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const part = state.lastId + 1;
  const { userTurn } = state;
  emit({ type: 'finalize-stt', part, awaited: [...supersededParts(userTurn, atMs), ...userTurn.awaited] });
  return {
    ...state,
    lastId: part,
    userTurn: { ...userTurn, awaited: [...userTurn.awaited, part], parts: [...userTurn.parts, part] },
  };
}

/** Takes the transcription of a turn, possibly an old one, from a speech-to-speech model. */
export function turnTranscribed(
  state: ConversationState,
  event: { turn: number; text: string; atMs: number },
  emit: Emit,
): ConversationState {
  const { turn, text, atMs } = event;
  if (state.userTurn.parts.includes(turn)) {
    return partFinalized(wordsHeard(state, { part: turn, final: true, text, atMs }, emit), { part: turn, atMs });
  }
  const entries = state.entries.map((entry) => {
    if (entry.role !== 'user' || !entry.awaits?.includes(turn)) return entry;
    const words = [entry.text, text.trim()].filter((part) => part !== '').join(' ');
    if (text.trim() !== '') emit({ type: 'notice', notice: { type: 'user-turn', text: text.trim() } });
    return { ...entry, text: words, awaits: entry.awaits.filter((part) => part !== turn) };
  });
  return { ...state, entries };
}

/** Takes provisional or final words. */
export function wordsHeard(
  state: ConversationState,
  event: { part: number | null; final: boolean; text: string; atMs: number },
  emit: Emit,
): ConversationState {
  const { userTurn } = state;
  const text = event.text.trim();
  if (isSuperseded(userTurn, event)) return state;
  if (userTurn.kind === 'idle' && (text === '' || !startsTurn(state, { type: 'words', text }))) return state;
  const words = event.final
    ? { finals: text === '' ? userTurn.finals : [...userTurn.finals, text], partial: '' }
    : { partial: text };
  const heard: UserTurn = { ...userTurn, ...unvoicedSpeech(userTurn, event.atMs), ...words };
  const hasMarks = state.caller.hasMarks || (event.final && /[.!?。！？]/.test(text));
  const next = keepFitting(
    {
      ...state,
      userTurn: judgeWords(state, heard, event.atMs),
      caller: { ...state.caller, hasMarks },
      silence: { ...state.silence, prompts: 0 },
    },
    emit,
  );
  return interruptsByWords(next, event.atMs) ? cutAgentOff(next, event.atMs, emit) : next;
}

/** Updates the text of the turn, and the properties derived from it, if the words have changed. */
function judgeWords({ userTurn, config }: ConversationState, heard: UserTurn, atMs: number): UserTurn {
  const text = [...heard.finals, heard.partial].join(' ').replace(/\s+/g, ' ').trim();
  if (text === userTurn.text) return heard;
  return {
    ...heard,
    text,
    wordsAtMs: atMs,
    completeness: completeness(text, config.language),
    isCompleteByWords: isCompleteByWords(text, config.language),
    isOpening: isOpening(text, config.language),
  };
}

/**
 * Returns the changes by which words count as speech: the detector may miss a short or quiet turn that the recognizer
 * hears.
 */
function unvoicedSpeech(user: UserTurn, atMs: number): Partial<UserTurn> {
  if (user.voiced) return {};
  const since = user.kind === 'idle' ? { voicedSinceMs: atMs, startedAtMs: atMs } : {};
  return { ...since, kind: 'ending', lastSpeechAtMs: atMs };
}

interface PartEvent {
  readonly part: number | null;
  readonly atMs: number;
}

/** Handles the recognizer's report that all words of a part are known. */
export function partFinalized(state: ConversationState, event: PartEvent): ConversationState {
  const { userTurn } = state;
  const others = (parts: readonly number[]): readonly number[] => parts.filter((part) => part !== event.part);
  if (isSuperseded(userTurn, event)) {
    return { ...state, userTurn: { ...userTurn, superseded: others(userTurn.superseded) } };
  }
  // An answer for a part that is not awaited came too late, or the answer for an earlier part never came. It counts for
  // the oldest awaited part of this turn.
  const isAwaited = event.part !== null && userTurn.awaited.includes(event.part);
  const awaited = isAwaited ? others(userTurn.awaited) : userTurn.awaited.slice(1);
  return { ...state, userTurn: { ...userTurn, awaited } };
}

/** Returns the parts of earlier turns that the recognizer may still answer. */
function supersededParts(user: UserTurn, atMs: number): readonly number[] {
  return atMs < user.supersededUntilMs ? user.superseded : [];
}

/**
 * Returns true if the words of a part are dropped because its turn has ended. Includes all parts before the newest
 * superseded one, whose words are older still.
 */
function isSuperseded(user: UserTurn, { part, atMs }: PartEvent): boolean {
  return part !== null && part <= (supersededParts(user, atMs).at(-1) ?? Number.NEGATIVE_INFINITY);
}

/** Takes the judgement of a recognizer that detects the end of turns. */
export function turnJudged(
  state: ConversationState,
  event: { judgment: 'turn-started' | 'turn-ending' | 'turn-resumed' | 'turn-ended'; atMs: number },
  emit: Emit,
): ConversationState {
  switch (event.judgment) {
    case 'turn-started':
      return state;
    case 'turn-ending':
      return prepareReply(state, emit);
    case 'turn-resumed':
      return dropPreemption(state, emit);
    case 'turn-ended':
      return state.userTurn.kind === 'idle' ? state : endTurn(state, event.atMs, emit);
  }
}

/**
 * Ends the turn of a caller who does not stop speaking, so that the words so far are answered. The recognizer is asked
 * to finalize the audio, so that words of it that come later are not taken for the next turn.
 */
export function endTurnNow(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  return endTurn(finalizeWords(state, atMs, emit), atMs, emit);
}

/** Ends the caller's speech: with words it is a turn, without any it was noise. */
export function endTurn(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { userTurn } = state;
  const { text } = userTurn;
  const superseded = [...supersededParts(userTurn, atMs), ...userTurn.awaited];
  const quiet: ConversationState = {
    ...state,
    userTurn: state.config.isRealtime
      ? idleUserTurn
      : { ...idleUserTurn, superseded, supersededUntilMs: atMs + lateAnswerMs },
  };
  const awaits = state.config.isRealtime && userTurn.awaited.length > 0 ? userTurn.parts : [];
  if (text === '' && awaits.length === 0) return askAgain(quiet, userTurn, atMs, emit);
  if (text !== '') emit({ type: 'notice', notice: { type: 'user-turn', text } });
  const heard: ConversationState = {
    ...quiet,
    caller: { ...quiet.caller, unrecognizedTurns: 0, learnedPauseMs: forgetPause(state.caller.learnedPauseMs) },
    entries: [...state.entries, awaits.length === 0 ? { role: 'user', text } : { role: 'user', text, awaits }],
  };
  if (userTurn.isAnswered || state.playout.isTakenOver) return heard;
  const wordsAtMs = text === '' ? null : userTurn.wordsAtMs;
  const isVoiced = userTurn.kind === 'speaking' && userTurn.pausedAtMs === null;
  const answers = { lastSpeechAtMs: isVoiced ? atMs : userTurn.lastSpeechAtMs, endedAtMs: atMs, wordsAtMs };
  if (state.agentTurn.kind !== 'active') return requestReply(cancelUnwantedTools(heard, emit), answers);
  if (isListening(state)) return listenedTo(heard, text, answers, emit);
  if (turnInterrupts(state, atMs)) {
    return requestReply(cutAgentOff(cancelUnwantedTools(heard, emit), atMs, emit), answers);
  }
  // An agent that cannot be interrupted answers after its speech; too few words for an interruption are ignored.
  return mayInterrupt(state, atMs) ? resumeAgent(heard, atMs, emit) : requestReply(heard, answers);
}

/**
 * Lets the agent continue after a backchannel. If the backchannel answers the agent's question, a reply to it is
 * requested.
 */
function listenedTo(state: ConversationState, text: string, answers: TurnEnd, emit: Emit): ConversationState {
  const resumed = resumeAgent(state, answers.endedAtMs, emit);
  const asks = state.agentTurn.kind === 'active' && state.agentTurn.speeches.at(-1)?.pushed.trim().endsWith('?');
  return asks && answersQuestion(text, state.config.language) ? requestReply(resumed, answers) : resumed;
}
