import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { hasPendingCalls } from '../state/tool-ledger.ts';
import { floorOf } from '../turns/floor.ts';
import { sayWithin } from './reply.ts';

/** What the agent says where its reply, or a tool that it waits for, is long in coming. */

/** When the next filler is due: after the caller has heard nothing for the delay. */
export function fillerAtMs(state: ConversationState): number | null {
  const { phrases, delay_ms: delayMs } = state.config.speech.filler;
  const { agentTurn } = state;
  // A model that speaks by itself says what it likes to while it thinks.
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
