import type { ConversationState } from '../state/conversation-state.ts';
import { turnText } from '../state/user-turn.ts';
import { pendingPauseMs } from './pauses.ts';

/**
 * When the caller's turn ends if nothing more is said; null while the caller speaks. Until the recognizer has settled
 * the words it is the longest delay, and so it is where the recognizer judges turns by itself, in case that it never
 * does.
 */
export function endOfTurnAtMs(state: ConversationState): number | null {
  const { user, config } = state;
  if (user.kind !== 'ending') return null;
  const { max_delay_ms: maxDelayMs } = config.speech.endpointing;
  // A speech-to-speech model has heard the words, whenever it tells them.
  const isHeard = config.isRealtime && state.agent.kind === 'silent';
  const isOpen = (user.unsettled > 0 && !isHeard) || config.judgesTurns;
  return user.lastSpeechAtMs + (isOpen ? maxDelayMs : settledDelayMs(state));
}

/** How long a pause after settled words has to be before it is the end of the turn. */
function settledDelayMs(state: ConversationState): number {
  const { mode, min_delay_ms: minMs, max_delay_ms: maxMs } = state.config.speech.endpointing;
  if (mode === 'fixed' || turnText(state.user) === '') return minMs;
  const within = (ms: number): number => Math.min(maxMs, Math.max(minMs, ms));
  const pauseMs = pendingPauseMs(state.learnedPauseMs);
  switch (state.user.completeness) {
    case 'complete':
      return minMs;
    case 'open':
      return within(pauseMs);
    case 'unfinished':
      return within(Math.max(unfinishedDelayMs, pauseMs));
    case 'spelling':
      return within(Math.max(spellingDelayMs, pauseMs));
  }
}

/** People who search for the next word, and people who read out digits, take this long between two. */
const unfinishedDelayMs = 1_500;
const spellingDelayMs = 1_800;

/** Whether the words so far may be all: there is no sense in preparing a reply to half a number. */
export function mayBeOver(state: ConversationState): boolean {
  const { completeness } = state.user;
  return state.config.speech.endpointing.mode === 'fixed' || completeness === 'complete' || completeness === 'open';
}

/** When a caller who never pauses is answered all the same. */
export function maxTurnAtMs({ user, config }: ConversationState): number | null {
  const { max_turn_ms: maxTurnMs } = config.speech.endpointing;
  // A speech-to-speech model tells the words of a turn only when it is over.
  const isSpeech = config.isRealtime ? user.voiced : turnText(user) !== '';
  if (user.kind === 'idle' || maxTurnMs === 0 || !isSpeech) return null;
  return user.startedAtMs + maxTurnMs;
}
