import { say, sayWithin } from '../agent-turn/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { floorOf } from '../turns/floor.ts';

/**
 * Says what a running tool wants the caller to know: as part of the reply that waits for the tool, else as a turn of
 * its own. Dropped while the floor is taken, because the text would be outdated afterwards.
 */
export function toolSays(
  state: ConversationState,
  { text, atMs }: { readonly text: string; readonly atMs: number },
  emit: Emit,
): ConversationState {
  if (text.trim() === '' || !floorOf(state).canSayFiller) return state;
  const { agentTurn, config } = state;
  const waits = agentTurn.kind === 'active' && agentTurn.entry !== null && !config.isRealtime;
  return waits ? sayWithin(state, text, atMs, emit) : say(state, text, { interruptible: true, atMs }, emit);
}
