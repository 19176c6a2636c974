import { cutAgentOff } from '../agent-turn/playout.ts';
import { requestReply } from '../agent-turn/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { mayInterrupt } from '../turns/turn-rules.ts';

/** Makes text that the caller typed a turn of its own, which interrupts the agent if the caller may interrupt. */
export function textTyped(state: ConversationState, text: string, atMs: number, emit: Emit): ConversationState {
  if (state.phase.kind !== 'open') return state;
  const listening = mayInterrupt(state, atMs) ? cutAgentOff(state, null, emit) : state;
  emit({ type: 'notice', notice: { type: 'user-turn', text } });
  emit({ type: 'model-told', role: 'user', text });
  const read: ConversationState = {
    ...listening,
    silence: { ...listening.silence, prompts: 0 },
    entries: [...listening.entries, { role: 'user', text }],
  };
  return requestReply(read, { lastSpeechAtMs: atMs, endedAtMs: atMs, wordsAtMs: null });
}
