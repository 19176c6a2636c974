import { fitWindow, requestMessages } from '../context/window.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { Preemption, PreparedPart } from '../state/reply.ts';
import { pendingCalls } from '../state/tool-ledger.ts';
import { turnText } from '../state/user-turn.ts';
import { mayBeOver } from '../turns/endpointing.ts';

/**
 * Replies that are prepared while the turn may still go on: the model starts on words that have stayed the same, and
 * what it gives waits. When the turn ends with these words it is used; when they change it is dropped.
 */

/** When a reply to the words so far is worth preparing; null where it is not. */
export function preemptAtMs(state: ConversationState): number | null {
  const { enabled, stable_ms: stableMs, max_attempts: maxAttempts } = state.config.speech.preemptive;
  const { user } = state;
  const pausedAtMs = user.kind === 'ending' ? user.lastSpeechAtMs : user.pausedAtMs;
  if (
    !enabled ||
    state.config.isRealtime ||
    user.kind === 'idle' ||
    pausedAtMs === null ||
    user.preemptions >= maxAttempts
  )
    return null;
  const text = turnText(user);
  if (text === '' || state.preemption?.text === text || !couldReply(state) || !mayBeOver(state)) return null;
  return Math.max(pausedAtMs, user.wordsAtMs) + stableMs;
}

function couldReply(state: ConversationState): boolean {
  return (
    state.phase.kind === 'open' &&
    state.agent.kind === 'silent' &&
    state.replyDue === null &&
    state.answering === null &&
    state.keys === null &&
    state.transfer === null &&
    state.cutOff.length === 0 &&
    !state.isMuted &&
    pendingCalls(state.ledger).length === 0
  );
}

/** Starts the model on the words so far. */
export function prepareReply(state: ConversationState, emit: Emit): ConversationState {
  const text = turnText(state.user);
  const { enabled, max_attempts: maxAttempts } = state.config.speech.preemptive;
  if (!enabled || text === '' || state.preemption?.text === text || !couldReply(state)) return state;
  if (state.user.preemptions >= maxAttempts) return state;
  const dropped = dropPreemption(state, emit);
  const generation = state.lastId + 1;
  // What is left out for a turn that may go on is not left out for good.
  const heard = fitWindow({ ...dropped, entries: [...state.entries, { role: 'user', text }] }, []);
  emit({ type: 'start-llm', generation, messages: requestMessages(heard, []), withTools: true });
  return {
    ...dropped,
    lastId: generation,
    user: { ...state.user, preemptions: state.user.preemptions + 1 },
    preemption: {
      generation,
      text,
      entries: state.entries.length,
      systemPrompt: state.config.systemPrompt,
      parts: [],
      done: false,
    },
  };
}

/** Drops a prepared reply to words that are no longer what the caller said. */
export function keepFitting(state: ConversationState, emit: Emit): ConversationState {
  const { preemption } = state;
  return preemption === null || preemption.text === turnText(state.user) ? state : dropPreemption(state, emit);
}

export function dropPreemption(state: ConversationState, emit: Emit): ConversationState {
  if (state.preemption === null) return state;
  emit({ type: 'cancel-llm', generation: state.preemption.generation });
  return { ...state, preemption: null };
}

/** Keeps what the model gives of a prepared reply. */
export function prepared(state: ConversationState, preemption: Preemption, part: PreparedPart): ConversationState {
  return { ...state, preemption: { ...preemption, parts: [...preemption.parts, part] } };
}
