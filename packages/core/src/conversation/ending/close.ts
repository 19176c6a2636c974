import { cutAgentOff } from '../agent-turn/playout.ts';
import { dropPreemption } from '../agent-turn/preemption.ts';
import { giveUpSummary } from '../context/summary.ts';
import { idleUserTurn } from '../state/caller/user-turn.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { Ending } from '../state/phase.ts';
import { pendingCalls } from '../state/tools/tool-ledger.ts';
import { toolSettled } from '../tools/settle-tool.ts';
import { giveUpTransfer } from '../transfer/give-up.ts';
import { endTakeOver } from '../transfer/take-over.ts';

/**
 * Ends the conversation at once and settles everything open, so that the record is complete. An ending that was decided
 * before is kept, even if its goodbye is cut short.
 */
export function close(state: ConversationState, ending: Ending, emit: Emit): ConversationState {
  if (state.phase.kind === 'closed') return state;
  const free = endTakeOver(state, emit);
  const silenced = giveUpTransfer(giveUpSummary(dropPreemption(cutAgentOff(free, null, emit), emit), emit), emit);
  const settled = pendingCalls(silenced.tools).reduce(
    (each, call) => toolSettled(each, call.id, { ok: false, error: 'cancelled: the call ended' }, emit),
    silenced,
  );
  const decided = state.phase.kind === 'closing' ? state.phase.ending : ending;
  emit({ type: 'hang-up', ending: decided });
  return {
    ...keepLastWords(settled, emit),
    phase: { kind: 'closed', ending: decided },
    reply: { ...settled.reply, due: null },
    caller: { ...settled.caller, keys: null },
    opening: { ...settled.opening, answering: null },
  };
}

function keepLastWords(state: ConversationState, emit: Emit): ConversationState {
  const { text } = state.userTurn;
  const quiet: ConversationState = { ...state, userTurn: idleUserTurn };
  if (text === '') return quiet;
  emit({ type: 'notice', notice: { type: 'user-turn', text } });
  return { ...quiet, entries: [...state.entries, { role: 'user', text }] };
}
