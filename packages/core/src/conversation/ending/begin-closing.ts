import type { ConversationState } from '../state/conversation-state.ts';
import type { Ending } from '../state/phase.ts';

/** Decides the ending; the agent finishes what it is saying. The first decision stands. */
export function beginClosing(
  state: ConversationState,
  ending: Ending,
  atMs: number,
  farewell: string | null = null,
): ConversationState {
  if (state.phase.kind === 'closing' || state.phase.kind === 'closed') return state;
  return { ...state, phase: { kind: 'closing', ending, sinceMs: atMs, silentAtMs: null, farewell } };
}

/** Records when the agent has fallen silent in the closing phase: the call is hung up `hangupTailMs` later. */
export function noteSilence(state: ConversationState, atMs: number): ConversationState {
  const { phase, agentTurn } = state;
  if (phase.kind !== 'closing' || phase.silentAtMs !== null || agentTurn.kind !== 'silent') return state;
  return { ...state, phase: { ...phase, silentAtMs: atMs } };
}
