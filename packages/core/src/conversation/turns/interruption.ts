import type { ConversationState, UserTurn } from '../state.ts';

export function turnText(user: UserTurn): string {
  return [...user.finals, user.partial].join(' ').replace(/\s+/g, ' ').trim();
}

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length;
}

function mayInterrupt(state: ConversationState): boolean {
  if (state.phase.kind !== 'open') return false;
  return state.agent.kind === 'active' && state.agent.interruptible && state.config.speech.interruption.enabled;
}

/** When the speech that is going on interrupts by its length, if it does not pause before; null where it cannot. */
export function interruptAtMs(state: ConversationState): number | null {
  const { min_words: minWords, min_duration_ms: minDurationMs } = state.config.speech.interruption;
  const { kind, pausedAtMs, voicedSinceMs } = state.user;
  if (kind !== 'speaking' || pausedAtMs !== null || minWords > 0 || !mayInterrupt(state)) return null;
  return voicedSinceMs + minDurationMs;
}

/** Whether the words recognized so far interrupt: only where the agent is set to wait for words. */
export function interruptsByWords(state: ConversationState): boolean {
  const { min_words: minWords } = state.config.speech.interruption;
  return minWords > 0 && mayInterrupt(state) && countWords(turnText(state.user)) >= minWords;
}

/** Whether a finished turn of these words takes the floor from an agent that is still speaking. */
export function turnInterrupts(state: ConversationState, text: string): boolean {
  return mayInterrupt(state) && countWords(text) >= state.config.speech.interruption.min_words;
}
