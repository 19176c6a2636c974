import { cutAgentOff } from './agent-speech.ts';
import { requestReply } from './agent-turn.ts';
import type { Emit } from './effects.ts';
import { type ConversationState, idleUser, type UserTurn } from './state.ts';
import { interruptsByWords, turnInterrupts, turnText } from './turns/interruption.ts';

/** The caller's region of the reducer. */

/** How long after a turn that ended without its recognizer's answer the answer is still expected. */
const lateAnswerMs = 1_000;

export function speechStarted(
  state: ConversationState,
  onsetAtMs: number,
  atMs: number,
  emit: Emit,
): ConversationState {
  emit({ type: 'stt-speech-started' });
  emit({ type: 'notice', notice: { type: 'user-speaking' } });
  const { user } = state;
  // A turn that was ending goes on; what interrupts is measured from where its speech set in again.
  const begun: UserTurn = {
    ...user,
    kind: 'speaking',
    voicedSinceMs: onsetAtMs,
    pausedAtMs: null,
    voiced: true,
    lastSpeechAtMs: atMs,
  };
  return { ...state, user: begun, silencePrompts: 0 };
}

export function speechPaused(state: ConversationState, atMs: number): ConversationState {
  if (state.user.kind !== 'speaking') return state;
  return { ...state, user: { ...state.user, pausedAtMs: state.user.pausedAtMs ?? atMs } };
}

export function speechResumed(state: ConversationState, atMs: number): ConversationState {
  const { kind, pausedAtMs, voicedSinceMs } = state.user;
  if (kind !== 'speaking' || pausedAtMs === null) return state;
  return { ...state, user: { ...state.user, pausedAtMs: null, voicedSinceMs: voicedSinceMs + (atMs - pausedAtMs) } };
}

export function speechEnded(state: ConversationState, lastSpeechAtMs: number, emit: Emit): ConversationState {
  if (state.user.kind !== 'speaking') return state;
  emit({ type: 'finalize-stt' });
  return {
    ...state,
    user: { ...state.user, kind: 'ending', lastSpeechAtMs, unsettled: state.user.unsettled + 1 },
  };
}

/** Words arrived, provisional or final. */
export function wordsHeard(
  state: ConversationState,
  event: { final: boolean; text: string; atMs: number },
  emit: Emit,
): ConversationState {
  const { user } = state;
  const text = event.text.trim();
  if (waitsForOldAnswer(user, event.atMs) || (text === '' && user.kind === 'idle')) return state;
  const words = event.final
    ? { finals: text === '' ? user.finals : [...user.finals, text], partial: '' }
    : { partial: text };
  const next = { ...state, user: { ...user, ...unvoicedSpeech(user, event.atMs), ...words }, silencePrompts: 0 };
  return interruptsByWords(next) ? cutAgentOff(next, emit) : next;
}

/** The detector may miss a short or soft turn that the recognizer gets: its words are then the speech. */
function unvoicedSpeech(user: UserTurn, atMs: number): Partial<UserTurn> {
  if (user.voiced) return {};
  const since = user.kind === 'idle' ? { voicedSinceMs: atMs } : {};
  return { ...since, kind: 'ending', lastSpeechAtMs: atMs };
}

export function wordsSettled(state: ConversationState, atMs: number): ConversationState {
  const { user } = state;
  if (waitsForOldAnswer(user, atMs)) return { ...state, user: { ...user, stale: user.stale - 1 } };
  return { ...state, user: { ...user, unsettled: Math.max(0, user.unsettled - 1) } };
}

function waitsForOldAnswer(user: UserTurn, atMs: number): boolean {
  return user.stale > 0 && atMs < user.staleUntilMs;
}

/** The caller has finished: with words it is a turn, without any it was a noise. */
export function endTurn(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { user } = state;
  const text = turnText(user);
  const stale = (waitsForOldAnswer(user, atMs) ? user.stale : 0) + user.unsettled;
  const quiet: ConversationState = { ...state, user: { ...idleUser, stale, staleUntilMs: atMs + lateAnswerMs } };
  if (text === '') return quiet;
  emit({ type: 'notice', notice: { type: 'user-turn', text } });
  const heard: ConversationState = { ...quiet, entries: [...state.entries, { role: 'user', text }] };
  const answers = { lastSpeechAtMs: user.lastSpeechAtMs, endedAtMs: atMs };
  if (state.agent.kind !== 'active') return requestReply(heard, answers);
  if (turnInterrupts(state, text)) return requestReply(cutAgentOff(heard, emit), answers);
  // An agent that may not be interrupted answers when it has finished; too few words for an interruption are let pass.
  return state.agent.interruptible && state.config.speech.interruption.enabled ? heard : requestReply(heard, answers);
}
