import type { BudgetStatus } from '../../domain/costs/budget-level.ts';
import { cutAgentOff } from '../agent-turn/playout.ts';
import { dropPreemption } from '../agent-turn/preemption.ts';
import { giveUpSummary } from '../context/summary.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { Ending } from '../state/phase.ts';
import { beginClosing } from './begin-closing.ts';
import { close } from './close.ts';

/**
 * Handles a budget that has reached a level. A warning is only reported. When the budget is used up, the agent finishes
 * its sentence, says the farewell and hangs up; if the caller may be interrupting, it leaves out the rest of its
 * sentence. A call that is not answered by a person yet ends at once.
 */
export function budgetChanged(
  state: ConversationState,
  { scope, level, cost, limit, atMs }: BudgetStatus & { readonly atMs: number },
  emit: Emit,
): ConversationState {
  if (state.phase.kind === 'closing' || state.phase.kind === 'closed') return state;
  emit({ type: 'notice', notice: { type: 'budget', scope, level, cost, limit } });
  if (level === 'warning') return state;
  const ending: Ending = { reason: 'budget_exceeded', error: null };
  if (state.phase.kind === 'waiting' || state.opening.answering !== null) return close(state, ending, emit);
  const idle = giveUpSummary(dropPreemption(state, emit), emit);
  const isPaused = idle.agentTurn.kind === 'active' && idle.agentTurn.paused !== null;
  const free = isPaused ? cutAgentOff(idle, null, emit) : idle;
  return beginClosing({ ...free, reply: { ...free.reply, due: null } }, ending, atMs, state.config.farewell);
}
