import type { ConversationState } from '../../conversation/state/conversation-state.ts';
import { hasPendingCalls } from '../../conversation/state/tools/tool-ledger.ts';
import type { DisplayState } from '../../ports/call-display.ts';

/** Returns what the agent is doing, as displays and live events show it. */
export function displayStateOf({ agentTurn, reply, tools }: ConversationState): DisplayState {
  if (agentTurn.kind === 'silent') return reply.due !== null || hasPendingCalls(tools) ? 'thinking' : 'listening';
  if (agentTurn.paused !== null) return 'listening';
  return agentTurn.speeches.some(({ started, finished }) => started && !finished) ? 'speaking' : 'thinking';
}
