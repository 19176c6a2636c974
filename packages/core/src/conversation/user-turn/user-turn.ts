import { answersQuestion, completeness } from '@va/language';
import { cutAgentOff, noteNoise, resumeAgent } from '../agent-turn/playout.ts';
import { dropPreemption, keepFitting, prepareReply } from '../agent-turn/preemption.ts';
import { requestReply } from '../agent-turn/reply.ts';
import type { TurnEnd } from '../state/agent-turn.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { pendingCalls } from '../state/tool-ledger.ts';
import { idleUser, turnText, type UserTurn } from '../state/user-turn.ts';
import { interruptsByWords, isListening, mayInterrupt, turnInterrupts } from '../turns/interruption.ts';
import { forgetPause, learnPause } from '../turns/pauses.ts';
import { askAgain } from './ask-again.ts';

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
    startedAtMs: user.kind === 'idle' ? onsetAtMs : user.startedAtMs,
    voicedSinceMs: onsetAtMs,
    pausedAtMs: null,
    voiced: true,
    lastSpeechAtMs: atMs,
    isAnswered: false,
  };
  const learnedPauseMs = learnPause(state.learnedPauseMs, pauseBefore(state, onsetAtMs));
  return noteNoise({ ...state, user: begun, learnedPauseMs, silencePrompts: 0 }, null);
}

/**
 * How long the caller had paused within what is one turn, also where the agent took it for its end and had not spoken
 * yet.
 */
function pauseBefore({ user, agent, ledger }: ConversationState, onsetAtMs: number): number {
  if (user.kind === 'ending') return user.voiced ? onsetAtMs - user.lastSpeechAtMs : 0;
  if (user.kind !== 'idle' || agent.kind !== 'active' || agent.answers === null) return 0;
  // Who waited for a tool, or has heard something, begins another turn.
  const isAnswered =
    agent.toolSteps > 0 || pendingCalls(ledger).length > 0 || agent.speeches.some((each) => each.started);
  return isAnswered ? 0 : onsetAtMs - agent.answers.lastSpeechAtMs;
}

export function speechPaused(state: ConversationState, lastSpeechAtMs: number, atMs: number): ConversationState {
  if (state.user.kind !== 'speaking') return state;
  return { ...state, user: { ...state.user, lastSpeechAtMs, pausedAtMs: state.user.pausedAtMs ?? atMs } };
}

export function speechResumed(state: ConversationState, atMs: number): ConversationState {
  const { kind, pausedAtMs, voicedSinceMs } = state.user;
  if (kind !== 'speaking' || pausedAtMs === null) return state;
  return { ...state, user: { ...state.user, pausedAtMs: null, voicedSinceMs: voicedSinceMs + (atMs - pausedAtMs) } };
}

export function speechEnded(state: ConversationState, lastSpeechAtMs: number, emit: Emit): ConversationState {
  if (state.user.kind !== 'speaking') return state;
  return noteNoise(
    settleWords({ ...state, user: { ...state.user, kind: 'ending', lastSpeechAtMs } }, emit),
    lastSpeechAtMs,
  );
}

/** Asks the recognizer for what it has of the turn so far. */
export function settleWords(state: ConversationState, emit: Emit): ConversationState {
  const part = state.lastId + 1;
  const { user } = state;
  emit({ type: 'finalize-stt', turn: part });
  return { ...state, lastId: part, user: { ...user, unsettled: user.unsettled + 1, parts: [...user.parts, part] } };
}

/** What the caller said, from a model that tells it turn by turn: it may be an old one. */
export function wordsTold(
  state: ConversationState,
  event: { turn: number; text: string; atMs: number },
  emit: Emit,
): ConversationState {
  const { turn, text, atMs } = event;
  if (state.user.parts.includes(turn)) {
    return wordsSettled(wordsHeard(state, { final: true, text, atMs }, emit), atMs);
  }
  const entries = state.entries.map((entry) => {
    if (entry.role !== 'user' || !entry.awaits?.includes(turn)) return entry;
    const words = [entry.text, text.trim()].filter((part) => part !== '').join(' ');
    if (text.trim() !== '') emit({ type: 'notice', notice: { type: 'user-turn', text: text.trim() } });
    return { ...entry, text: words, awaits: entry.awaits.filter((part) => part !== turn) };
  });
  return { ...state, entries };
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
  const heard: UserTurn = { ...user, ...unvoicedSpeech(user, event.atMs), ...words };
  const next = keepFitting({ ...state, user: judgeWords(state, heard, event.atMs), silencePrompts: 0 }, emit);
  return interruptsByWords(next, event.atMs) ? cutAgentOff(next, event.atMs, emit) : next;
}

function judgeWords({ user, config }: ConversationState, heard: UserTurn, atMs: number): UserTurn {
  const text = turnText(heard);
  if (text === turnText(user)) return heard;
  return { ...heard, wordsAtMs: atMs, completeness: completeness(text, config.language) };
}

/** The detector may miss a short or soft turn that the recognizer gets: its words are then the speech. */
function unvoicedSpeech(user: UserTurn, atMs: number): Partial<UserTurn> {
  if (user.voiced) return {};
  const since = user.kind === 'idle' ? { voicedSinceMs: atMs, startedAtMs: atMs } : {};
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

/** What a recognizer says that judges turns by the speech itself. */
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
      return state.user.kind === 'idle' ? state : endTurn(state, event.atMs, emit);
  }
}

/** The caller talks on and on: what was said so far is answered. Its words are settled, and then are old ones. */
export function cutTurn(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  return endTurn(settleWords(state, emit), atMs, emit);
}

/** The caller has finished: with words it is a turn, without any it was a noise. */
export function endTurn(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { user } = state;
  const text = turnText(user);
  const stale = (waitsForOldAnswer(user, atMs) ? user.stale : 0) + user.unsettled;
  const quiet: ConversationState = {
    ...state,
    user: state.config.isRealtime ? idleUser : { ...idleUser, stale, staleUntilMs: atMs + lateAnswerMs },
  };
  const awaits = state.config.isRealtime && user.unsettled > 0 ? user.parts : [];
  if (text === '' && awaits.length === 0) return askAgain(quiet, user, atMs, emit);
  if (text !== '') emit({ type: 'notice', notice: { type: 'user-turn', text } });
  const heard: ConversationState = {
    ...quiet,
    unrecognized: 0,
    learnedPauseMs: forgetPause(state.learnedPauseMs),
    entries: [...state.entries, awaits.length === 0 ? { role: 'user', text } : { role: 'user', text, awaits }],
  };
  if (user.isAnswered) return heard;
  const wordsAtMs = text === '' ? null : user.wordsAtMs;
  const isVoiced = user.kind === 'speaking' && user.pausedAtMs === null;
  const answers = { lastSpeechAtMs: isVoiced ? atMs : user.lastSpeechAtMs, endedAtMs: atMs, wordsAtMs };
  if (state.agent.kind !== 'active') return requestReply(heard, answers);
  if (isListening(state, text)) return listenedTo(heard, text, answers, emit);
  if (turnInterrupts(state, text, atMs)) return requestReply(cutAgentOff(heard, atMs, emit), answers);
  // An agent that may not be interrupted answers when it has finished; too few words for an interruption are let pass.
  return mayInterrupt(state, atMs) ? resumeAgent(heard, emit) : requestReply(heard, answers);
}

/** "Uh-huh" over the agent lets it speak on. Over a question it is the answer to it, and is taken up after it. */
function listenedTo(state: ConversationState, text: string, answers: TurnEnd, emit: Emit): ConversationState {
  const resumed = resumeAgent(state, emit);
  const asks = state.agent.kind === 'active' && state.agent.speeches.at(-1)?.pushed.trim().endsWith('?');
  return asks && answersQuestion(text, state.config.language) ? requestReply(resumed, answers) : resumed;
}
