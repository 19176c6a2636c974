import type { ChatMessage } from '../../ports/providers/language-model.ts';
import type { TransferOutcome } from '../../ports/telephony.ts';
import { addContextMessage, requestReply, say } from '../agent-turn/reply.ts';
import { notesRequest } from '../context/summary.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { ConversationEvent, ModelEvent } from '../state/events.ts';
import { type Ending, hangupTailMs } from '../state/phase.ts';
import type { Transfer } from '../state/transfer.ts';
import { endBriefing, settleCall } from './give-up.ts';

/** Maximum ringing time of the destination. */
const transferLimitMs = 60_000;
/** Maximum time that a transfer waits for its summary. */
const briefingLimitMs = 5_000;

type TransferWish = Pick<Transfer, 'destination' | 'mode' | 'keysOnAnswer' | 'callId' | 'summary'>;

export function planTransfer(state: ConversationState, wish: TransferWish): ConversationState {
  const id = state.lastId + 1;
  return {
    ...state,
    lastId: id,
    transfer: { ...state.transfer, active: { ...wish, id, briefing: null, silentAtMs: null, startedAtMs: null } },
  };
}

/** Starts a transfer by a control command. A second transfer during another one is ignored. */
export function transferAsked(
  state: ConversationState,
  event: Extract<ConversationEvent, { type: 'transfer-asked' }>,
  emit: Emit,
): ConversationState {
  const { destination, mode, keysOnAnswer, message, atMs } = event;
  if (state.transfer.active !== null || !state.config.canTransfer) return state;
  const planned = planTransfer(state, { destination, mode, keysOnAnswer, callId: null, summary: null });
  const told = message === null ? planned : say(planned, message, { interruptible: true, atMs }, emit);
  return mode === 'warm' && !state.config.isRealtime ? brief(told, atMs, emit) : told;
}

/** Requests the summary for the destination from the model. */
function brief(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const {
    transfer: { active: transfer },
  } = state;
  if (transfer === null) return state;
  const generation = state.lastId + 1;
  const messages: readonly ChatMessage[] = notesRequest(state, state.entries.length);
  emit({ type: 'start-llm', generation, messages, withTools: false });
  return {
    ...state,
    lastId: generation,
    transfer: { ...state.transfer, active: { ...transfer, briefing: { generation, text: '', sinceMs: atMs } } },
  };
}

export function briefingTold(state: ConversationState, event: ModelEvent): ConversationState {
  const {
    transfer: { active: transfer },
  } = state;
  if (transfer === null || transfer.briefing === null) return state;
  const { briefing } = transfer;
  switch (event.type) {
    case 'llm-text':
      return {
        ...state,
        transfer: {
          ...state.transfer,
          active: { ...transfer, briefing: { ...briefing, text: briefing.text + event.text } },
        },
      };
    case 'llm-tool-call':
      return state;
    case 'llm-done':
    case 'llm-failed':
      return {
        ...state,
        transfer: { ...state.transfer, active: { ...transfer, briefing: null, summary: briefing.text.trim() || null } },
      };
  }
}

/** Records since when the agent has had nothing more to say. */
export function noteDrained(state: ConversationState, atMs: number): ConversationState {
  const {
    transfer: { active: transfer },
    agentTurn,
    playout: { cutOff },
  } = state;
  if (transfer === null || transfer.startedAtMs !== null) return state;
  const isSilent =
    agentTurn.kind === 'silent'
      ? cutOff.length === 0
      : agentTurn.llm === null && agentTurn.speeches.every((each) => each.finished);
  if (isSilent === (transfer.silentAtMs !== null)) return state;
  return { ...state, transfer: { ...state.transfer, active: { ...transfer, silentAtMs: isSilent ? atMs : null } } };
}

/** Plays music to the caller from the start of a transfer until its outcome. */
export function adjustHold(state: ConversationState, emit: Emit): ConversationState {
  const { active } = state.transfer;
  const isOnHold = active !== null && active.startedAtMs !== null && state.config.speech.hold.clip !== null;
  if (isOnHold === state.playout.isOnHold || state.phase.kind === 'closed') return state;
  emit({ type: 'set-hold', isOnHold });
  return { ...state, playout: { ...state.playout, isOnHold } };
}

/**
 * Returns when the transfer starts, or when a started one times out; null without a transfer, and until the agent has
 * nothing more to say.
 */
export function transferAtMs({ transfer: { active: transfer } }: ConversationState): number | null {
  if (transfer === null) return null;
  const { startedAtMs, silentAtMs, briefing } = transfer;
  if (startedAtMs !== null) return startedAtMs + transferLimitMs;
  if (silentAtMs === null) return null;
  return Math.max(silentAtMs + hangupTailMs, briefing === null ? 0 : briefing.sinceMs + briefingLimitMs);
}

export function transferDue(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const {
    transfer: { active: transfer },
  } = state;
  if (transfer === null) return state;
  const { id, destination, mode, keysOnAnswer } = transfer;
  if (transfer.startedAtMs !== null) {
    emit({ type: 'cancel-transfer', id });
    const message = `nothing within ${transferLimitMs / 1_000} s`;
    return transferSettled(state, { id, outcome: { type: 'failed', message } }, emit).state;
  }
  const ready = endBriefing(state, emit);
  const summary = transfer.summary ?? (transfer.briefing?.text.trim() || null);
  emit({ type: 'transfer', id, destination, mode, keysOnAnswer, summary });
  emit({ type: 'notice', notice: { type: 'transfer', destination, mode, status: 'started', reason: null } });
  return {
    ...ready,
    transfer: { ...ready.transfer, active: { ...transfer, summary, briefing: null, startedAtMs: atMs } },
  };
}

/**
 * Takes the result of a transfer. After a successful one the conversation ends with `ending`; otherwise it continues.
 */
export function transferSettled(
  state: ConversationState,
  event: { id: number; outcome: TransferOutcome },
  emit: Emit,
): { state: ConversationState; ending: Ending | null } {
  const {
    transfer: { active: transfer },
  } = state;
  if (transfer === null || transfer.id !== event.id) return { state, ending: null };
  const { destination, mode, callId } = transfer;
  const { outcome } = event;
  const reason = outcome.type === 'accepted' ? null : outcome.type === 'refused' ? outcome.reason : outcome.message;
  emit({ type: 'notice', notice: { type: 'transfer', destination, mode, status: outcome.type, reason } });
  const over: ConversationState = { ...state, transfer: { ...state.transfer, active: null } };
  if (reason === null) {
    const told = settleCall(over, callId, null, emit);
    return {
      state: { ...told, transfer: { ...told.transfer, completedTo: destination } },
      ending: { reason: 'transferred', error: null },
    };
  }
  const failure = `The caller could not be transferred to ${destination}: ${reason}`;
  if (callId === null)
    return { state: addContextMessage(over, { text: failure, wantsReply: true }, emit), ending: null };
  const told = settleCall(over, callId, failure, emit);
  return { state: told.reply.due === null ? requestReply(told, null) : told, ending: null };
}
