import { dropPreemption } from '../agent-turn/preemption.ts';
import { modelDone, modelText } from '../agent-turn/reply.ts';
import type { PreparedPart } from '../state/agent/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { toolCalled } from './tool-calls.ts';

/** Uses a prepared reply at the end of the turn, as if it arrived now. A reply that does not match is dropped. */
export function usePrepared(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const {
    reply: { preemption },
    agentTurn,
    userTurn,
  } = state;
  if (preemption === null || userTurn.kind !== 'idle') return state;
  const { generation, parts, done } = preemption;
  if (agentTurn.kind !== 'active' || agentTurn.llm?.generation !== generation) return dropPreemption(state, emit);
  const used = { ...state.latency.prepared, used: state.latency.prepared.used + 1 };
  const free: ConversationState = {
    ...state,
    reply: { ...state.reply, preemption: null },
    latency: { ...state.latency, prepared: used },
  };
  const told = parts.reduce((each, part) => tell(each, generation, part, atMs, emit), free);
  return done ? modelDone(told, { generation, atMs }, emit) : told;
}

function tell(
  state: ConversationState,
  generation: number,
  part: PreparedPart,
  atMs: number,
  emit: Emit,
): ConversationState {
  if (part.type === 'text') return modelText(state, { generation, text: part.text, atMs }, emit);
  return toolCalled(state, { generation, call: part.call, atMs }, emit);
}
