import { cutAgentOff } from '../agent-turn/playout.ts';
import { requestReply } from '../agent-turn/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { mayInterrupt } from '../turns/interruption.ts';

/** The caller's keys: digits are collected until they are complete, and then are a turn of the caller's. */

export function keyPressed(state: ConversationState, digit: string, atMs: number, emit: Emit): ConversationState {
  // Whoever presses keys is there: the silence begins anew.
  const there: ConversationState = {
    ...state,
    silencePrompts: 0,
    quietSinceMs: state.quietSinceMs === null ? null : atMs,
  };
  const { enabled, terminator, max_digits: maxDigits } = state.config.speech.dtmf;
  if (!enabled || state.phase.kind !== 'open') return there;
  const listening = state.keys === null && mayInterrupt(there, atMs) ? cutAgentOff(there, null, emit) : there;
  const before = state.keys?.digits ?? '';
  if (digit === terminator && before !== '') return keysComplete(listening, atMs, emit);
  const pressed = { ...listening, keys: { digits: before + digit, lastAtMs: atMs } };
  const isFull = digit === terminator || pressed.keys.digits.length === maxDigits;
  return isFull ? keysComplete(pressed, atMs, emit) : pressed;
}

/** When the digits are complete if no more are pressed. */
export function keysDueAtMs({ keys, config }: ConversationState): number | null {
  return keys === null ? null : keys.lastAtMs + config.speech.dtmf.timeout_ms;
}

export function keysComplete(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  if (state.keys === null) return state;
  const text = keysText(state.keys.digits);
  emit({ type: 'notice', notice: { type: 'user-turn', text } });
  emit({ type: 'model-told', role: 'user', text });
  const heard: ConversationState = { ...state, keys: null, entries: [...state.entries, { role: 'user', text }] };
  return requestReply(heard, { lastSpeechAtMs: state.keys.lastAtMs, endedAtMs: atMs, wordsAtMs: null });
}

/** How digits stand in the transcript, and how the model is told of them. */
function keysText(digits: string): string {
  return `[keys pressed: ${digits}]`;
}
