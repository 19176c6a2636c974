import { cutAgentOff } from './agent-speech.ts';
import type { Ending } from './config.ts';
import { giveUpSummary } from './context/summary.ts';
import type { Emit } from './effects.ts';
import { dropPreemption } from './preemption.ts';
import { type ConversationState, idleUser } from './state.ts';
import { pendingCalls } from './tool-ledger.ts';
import { toolSettled } from './tool-settling.ts';
import { giveUpTransfer } from './transfer.ts';
import { turnText } from './turns/turn-text.ts';

/** The ending is decided, and what the agent is saying is finished first. The first decision stands. */
export function beginClosing(state: ConversationState, ending: Ending, atMs: number): ConversationState {
  if (state.phase.kind === 'closing' || state.phase.kind === 'closed') return state;
  return { ...state, phase: { kind: 'closing', ending, sinceMs: atMs, silentAtMs: null } };
}

/** Once the agent has fallen silent, the tail of the line runs out, and then the call is hung up. */
export function noteSilence(state: ConversationState, atMs: number): ConversationState {
  const { phase, agent } = state;
  if (phase.kind !== 'closing' || phase.silentAtMs !== null || agent.kind !== 'silent') return state;
  return { ...state, phase: { ...phase, silentAtMs: atMs } };
}

/**
 * The end, at once: what was still open is settled, so that the record is whole. An ending that was decided before
 * stands, whatever cut its goodbye short.
 */
export function close(state: ConversationState, ending: Ending, emit: Emit): ConversationState {
  if (state.phase.kind === 'closed') return state;
  const silenced = giveUpTransfer(giveUpSummary(dropPreemption(cutAgentOff(state, null, emit), emit), emit), emit);
  const settled = pendingCalls(silenced.ledger).reduce(
    (each, call) => toolSettled(each, call.id, { ok: false, error: 'cancelled: the call ended' }, emit),
    silenced,
  );
  const decided = state.phase.kind === 'closing' ? state.phase.ending : ending;
  emit({ type: 'hang-up', ending: decided });
  return {
    ...keepLastWords(settled, emit),
    phase: { kind: 'closed', ending: decided },
    replyDue: null,
    keys: null,
    answering: null,
  };
}

function keepLastWords(state: ConversationState, emit: Emit): ConversationState {
  const text = turnText(state.user);
  const quiet: ConversationState = { ...state, user: idleUser };
  if (text === '') return quiet;
  emit({ type: 'notice', notice: { type: 'user-turn', text } });
  return { ...quiet, entries: [...state.entries, { role: 'user', text }] };
}
