import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { pendingCalls } from '../state/tool-ledger.ts';
import { sayWithin } from './reply.ts';

/** What the agent says where its reply, or a tool that it waits for, is long in coming. */

/** When the next filler is due: after the caller has heard nothing for the delay. */
export function fillerAtMs(state: ConversationState): number | null {
  const { phrases, delay_ms: delayMs } = state.config.speech.filler;
  const { agent, user, phase } = state;
  // A model that speaks by itself says what it likes to while it thinks.
  if (
    state.config.isRealtime ||
    agent.kind !== 'active' ||
    phase.kind !== 'open' ||
    user.kind !== 'idle' ||
    state.transfer !== null ||
    state.isMuted
  )
    return null;
  const isWaited = agent.llm !== null || state.replyDue !== null || pendingCalls(state.ledger).length > 0;
  const isSilent = agent.speeches.every(({ finished, opened }) => finished || !opened);
  if (!isWaited || !isSilent || agent.entry === null || agent.fillers >= phrases.length) return null;
  return agent.waitingSinceMs + delayMs;
}

export function sayFiller(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { agent } = state;
  if (agent.kind !== 'active') return state;
  const phrase = state.config.speech.filler.phrases[agent.fillers];
  if (phrase === undefined) return state;
  return sayWithin({ ...state, agent: { ...agent, fillers: agent.fillers + 1 } }, phrase, atMs, emit);
}
