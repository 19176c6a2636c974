import { endpointingDelays } from '../../domain/agents/speech/endpointing-presets.ts';
import { resumeAgent } from '../agent-turn/playout.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { endTurn, finalizeWords } from './user-turn.ts';

/** Speech without recognized words: a continuous noise, or a caller who is not understood. */

/**
 * Returns when speech without words is checked; null if it is not. At the first check the recognizer is asked for its
 * result, because some recognizers report nothing before; if it has none or does not answer, the speech is noise.
 */
export function noWordsAtMs({ userTurn, config }: ConversationState): number | null {
  const { timeout_ms: timeoutMs } = config.speech.unrecognized;
  if (config.isRealtime || timeoutMs === 0 || userTurn.kind !== 'speaking' || userTurn.text !== '') return null;
  if (userTurn.probedAtMs === null) return userTurn.startedAtMs + timeoutMs;
  return userTurn.awaited.length === 0
    ? userTurn.probedAtMs
    : userTurn.probedAtMs + endpointingDelays(config.speech.endpointing).maxMs;
}

export function noWords(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  if (state.userTurn.probedAtMs !== null) return resumeAgent(endTurn(state, atMs, emit), atMs, emit);
  const asked = finalizeWords(state, atMs, emit);
  return { ...asked, userTurn: { ...asked.userTurn, probedAtMs: atMs } };
}
