import { cutAgentOff } from '../agent-turn/playout.ts';
import { requestReply } from '../agent-turn/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { mayInterrupt } from '../turns/turn-rules.ts';

/** DTMF input: digits are collected until they are complete, and then become a turn of the caller. */

export function keyPressed(state: ConversationState, digit: string, atMs: number, emit: Emit): ConversationState {
  // A digit ends the caller's silence.
  const there: ConversationState = {
    ...state,
    silence: { ...state.silence, prompts: 0, sinceMs: state.silence.sinceMs === null ? null : atMs },
  };
  const { enabled, terminator, max_digits: maxDigits } = state.config.speech.dtmf;
  if (!enabled || state.phase.kind !== 'open') return there;
  const listening = state.caller.keys === null && mayInterrupt(there, atMs) ? cutAgentOff(there, null, emit) : there;
  const before = state.caller.keys?.digits ?? '';
  const digits = before + digit;
  if (digit === terminator && before !== '') return keysComplete(listening, atMs, emit);
  const keys = { digits, lastAtMs: atMs };
  const pressed: ConversationState = { ...listening, caller: { ...listening.caller, keys } };
  const isFull = digit === terminator || digits.length === maxDigits;
  return isFull ? keysComplete(pressed, atMs, emit) : pressed;
}

/** Returns when the digits are complete if no more follow. */
export function keysDueAtMs({ caller: { keys }, config }: ConversationState): number | null {
  return keys === null ? null : keys.lastAtMs + config.speech.dtmf.timeout_ms;
}

export function keysComplete(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  if (state.caller.keys === null) return state;
  const text = keysText(state.caller.keys.digits);
  emit({ type: 'notice', notice: { type: 'user-turn', text } });
  emit({ type: 'model-told', role: 'user', text });
  const heard: ConversationState = {
    ...state,
    caller: { ...state.caller, keys: null },
    entries: [...state.entries, { role: 'user', text }],
  };
  return requestReply(heard, { lastSpeechAtMs: state.caller.keys.lastAtMs, endedAtMs: atMs, wordsAtMs: null });
}

/** Returns the text of digits in the transcript and for the model. */
function keysText(digits: string): string {
  return `[keys pressed: ${digits}]`;
}
