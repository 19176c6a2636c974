import { noPredictions, pausedAfterMs } from '../state/caller/turn-prediction.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';

/**
 * Requests to the turn model: one in each pause of the caller that lasts long enough, and another one when the words
 * change, if the model uses them. An answer belongs to its pause and is dropped when the caller goes on.
 */

/** Silence after which the model is asked: shorter pauses are common in a phrase, and models expect some silence. */
const settleMs = 150;
/** Bounds the work for a turn. */
const maxRequestsPerTurn = 20;

/** Returns when to ask the model about the current pause; null if it is not to be asked, or not again. */
export function turnModelAtMs(state: ConversationState): number | null {
  const { config, opening, userTurn, prediction } = state;
  // A recognizer that detects the end of turns needs no second opinion; an answering machine takes no turns.
  if (config.turnModel === null || config.judgesTurns || opening.answering !== null) return null;
  const lastSpeechAtMs = pausedAfterMs(userTurn);
  if (lastSpeechAtMs === null || prediction.requests >= maxRequestsPerTurn) return null;
  const { current } = prediction;
  if (current === null) return lastSpeechAtMs + settleMs;
  if (current.isPending || !config.turnModel.usesText || current.text === userTurn.text) return null;
  return Math.max(lastSpeechAtMs + settleMs, userTurn.wordsAtMs);
}

/** Asks the model about the current pause. */
export function askTurnModel(state: ConversationState, emit: Emit): ConversationState {
  const lastSpeechAtMs = pausedAfterMs(state.userTurn);
  if (lastSpeechAtMs === null) return state;
  const request = state.lastId + 1;
  const { text } = state.userTurn;
  emit({ type: 'ask-turn-model', request, text, sinceMs: state.userTurn.startedAtMs });
  return {
    ...state,
    lastId: request,
    prediction: {
      current: { request, lastSpeechAtMs, text, isPending: true, probability: null },
      requests: state.prediction.requests + 1,
    },
  };
}

/**
 * Stores the model's answer; `probability` is null if the model gave no usable one. Answers to older requests are
 * dropped.
 */
export function turnPredicted(
  state: ConversationState,
  { request, probability }: { request: number; probability: number | null },
): ConversationState {
  const { current } = state.prediction;
  if (current === null || current.request !== request) return state;
  return { ...state, prediction: { ...state.prediction, current: { ...current, isPending: false, probability } } };
}

/** Drops the prediction when its pause is over, and the count of requests with the turn. */
export function keepPrediction(state: ConversationState, emit: Emit): ConversationState {
  const { userTurn, prediction } = state;
  const { current } = prediction;
  const isStale = current !== null && pausedAfterMs(userTurn) !== current.lastSpeechAtMs;
  if (isStale && current.isPending) emit({ type: 'cancel-turn-model', request: current.request });
  if (userTurn.kind === 'idle') return prediction.requests === 0 ? state : { ...state, prediction: noPredictions };
  return isStale ? { ...state, prediction: { ...prediction, current: null } } : state;
}
