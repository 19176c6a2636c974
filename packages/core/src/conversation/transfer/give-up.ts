import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { toolSettled } from '../tools/settle-tool.ts';

/** Cancels the request to the model that writes the summary for the destination. */
export function endBriefing(state: ConversationState, emit: Emit): ConversationState {
  const {
    transfer: { active: transfer },
  } = state;
  if (transfer === null || transfer.briefing === null) return state;
  emit({ type: 'cancel-llm', generation: transfer.briefing.generation });
  return { ...state, transfer: { ...state.transfer, active: { ...transfer, briefing: null } } };
}

/** Sets the outcome of the transfer's tool call, if the model started it. */
export function settleCall(
  state: ConversationState,
  callId: string | null,
  error: string | null,
  emit: Emit,
): ConversationState {
  if (callId === null) return state;
  const outcome =
    error === null ? { ok: true as const, result: 'The caller is transferred.' } : { ok: false as const, error };
  return toolSettled(state, callId, outcome, emit);
}

/**
 * Abandons the transfer, because the call ends for another reason. If the destination is being called, that is
 * cancelled.
 */
export function giveUpTransfer(state: ConversationState, emit: Emit): ConversationState {
  const {
    transfer: { active: transfer },
  } = state;
  if (transfer === null) return state;
  const { id, callId } = transfer;
  const ready = endBriefing(state, emit);
  if (transfer.startedAtMs !== null) emit({ type: 'cancel-transfer', id });
  return settleCall(
    { ...ready, transfer: { ...ready.transfer, active: null } },
    callId,
    'cancelled: the call ends',
    emit,
  );
}
