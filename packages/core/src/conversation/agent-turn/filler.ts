import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { hasPendingCalls } from '../state/tools/tool-ledger.ts';
import { floorOf } from '../turns/floor.ts';
import { sayWithin } from './reply.ts';

/** Filler phrases, spoken while a reply or an awaited tool takes long. */

/**
 * Returns when the next filler is due: `filler.delay_ms` after the caller last heard the agent, or after the start of
 * the agent's turn; null if none is due.
 */
export function fillerAtMs(state: ConversationState): number | null {
  const { phrases, delay_ms: delayMs } = state.config.speech.filler;
  const { agentTurn } = state;
  // A speech-to-speech model chooses its own fillers.
  if (state.config.isRealtime || agentTurn.kind !== 'active' || !floorOf(state).canSayFiller) return null;
  const isWaited = agentTurn.llm !== null || state.reply.due !== null || hasPendingCalls(state.tools);
  const isSilent = agentTurn.speeches.every(({ finished, opened }) => finished || !opened);
  if (!isWaited || !isSilent || agentTurn.entry === null || agentTurn.fillers >= phrases.length) return null;
  return agentTurn.waitingSinceMs + delayMs;
}

export function sayFiller(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { agentTurn } = state;
  if (agentTurn.kind !== 'active') return state;
  const phrase = state.config.speech.filler.phrases[agentTurn.fillers];
  if (phrase === undefined) return state;
  return sayWithin({ ...state, agentTurn: { ...agentTurn, fillers: agentTurn.fillers + 1 } }, phrase, atMs, emit);
}
