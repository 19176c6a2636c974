import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { pendingCalls } from '../state/tools/tool-ledger.ts';
import { toolSettled } from './settle-tool.ts';

/**
 * Cancels the pending tools that allow it, after the caller has said something else. The others go on, because their
 * effect outside belongs in the conversation.
 */
export function cancelUnwantedTools(state: ConversationState, emit: Emit): ConversationState {
  const { tools } = state.config;
  const isCancellable = (name: string): boolean =>
    tools.some((tool) => 'cancelOnInterruption' in tool && tool.name === name && tool.cancelOnInterruption);
  const unwanted = pendingCalls(state.tools).filter(({ name }) => isCancellable(name));
  return unwanted.reduce((each, { id }) => {
    emit({ type: 'cancel-tool', callId: id });
    return toolSettled(each, id, { ok: false, error: 'cancelled: the caller said something else' }, emit);
  }, state);
}
