import type { ToolOutcome } from '../../domain/calls/tool-outcome.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { outcomeText, settle } from '../state/tools/tool-ledger.ts';

/** Sets the outcome of a tool call; a second one for the same call has no effect. */
export function toolSettled(
  state: ConversationState,
  callId: string,
  outcome: ToolOutcome,
  emit: Emit,
): ConversationState {
  const line = state.tools.get(callId);
  const ledger = settle(state.tools, callId, outcome);
  if (line === undefined || ledger === state.tools) return state;
  emit({ type: 'notice', notice: { type: 'tool-result', callId, name: line.call.name, outcome } });
  emit({ type: 'tool-output', callId, output: outcomeText(outcome) });
  return { ...state, tools: ledger };
}
