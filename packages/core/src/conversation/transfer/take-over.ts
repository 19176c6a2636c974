import { cutAgentOff } from '../agent-turn/playout.ts';
import { dropPreemption } from '../agent-turn/preemption.ts';
import { addContextMessage } from '../agent-turn/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { cancelUnwantedTools } from '../tools/cancel-unwanted.ts';

/** Message to the model when a supervisor hands the conversation back. */
export const handedBack =
  'A colleague took over the call, spoke with the caller in your place, and has now handed the call back to you. ' +
  "The transcript has the caller's words of that time, but not those of the colleague.";

/** Returns true if a person can take over the conversation now. */
export function mayBeTakenOver({ phase, opening, transfer, playout }: ConversationState): boolean {
  return phase.kind === 'open' && opening.answering === null && transfer.active === null && !playout.isTakenOver;
}

/**
 * Lets a person speak with the caller in the agent's place. The agent is cut off, its due reply is dropped, and it goes
 * on listening to the caller.
 */
export function takeOver(state: ConversationState, emit: Emit): ConversationState {
  if (!mayBeTakenOver(state)) return state;
  const silenced = cancelUnwantedTools(dropPreemption(cutAgentOff(state, null, emit), emit), emit);
  emit({ type: 'set-taken-over', isTakenOver: true });
  emit({ type: 'notice', notice: { type: 'take-over', status: 'started' } });
  return {
    ...silenced,
    reply: { ...silenced.reply, due: null },
    opening: { ...silenced.opening, greetingDueAtMs: null },
    playout: { ...silenced.playout, isTakenOver: true, keys: [] },
  };
}

/** Hands the conversation back to the agent, which replies to the next words of the caller. */
export function handBack(state: ConversationState, emit: Emit): ConversationState {
  if (!state.playout.isTakenOver) return state;
  const over = endTakeOver(state, emit);
  return addContextMessage(
    { ...over, reply: { ...over.reply, due: null } },
    { text: handedBack, wantsReply: false },
    emit,
  );
}

/** Ends a take-over because the conversation is ending. */
export function endTakeOver(state: ConversationState, emit: Emit): ConversationState {
  if (!state.playout.isTakenOver) return state;
  emit({ type: 'set-taken-over', isTakenOver: false });
  emit({ type: 'notice', notice: { type: 'take-over', status: 'ended' } });
  return { ...state, playout: { ...state.playout, isTakenOver: false } };
}
