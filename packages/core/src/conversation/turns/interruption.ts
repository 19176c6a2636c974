import { isBackchannel } from '@va/language';
import type { ConversationState } from '../state/conversation-state.ts';
import { pendingCalls } from '../state/tool-ledger.ts';
import { turnText } from '../state/user-turn.ts';

/** Whether the caller may take the floor from the agent that has it. */
export function mayInterrupt(state: ConversationState, atMs: number): boolean {
  const { agent, phase, firstSoundAtMs } = state;
  const { enabled, during_tools: duringTools, echo_warmup_ms: warmupMs } = state.config.speech.interruption;
  if (!enabled || phase.kind !== 'open' || agent.kind !== 'active' || !agent.interruptible) return false;
  if (state.transfer !== null || state.callerMute !== null) return false;
  if (!duringTools && pendingCalls(state.ledger).length > 0) return false;
  return firstSoundAtMs === null || atMs >= firstSoundAtMs + warmupMs;
}

/** Whether the agent is being heard, so that words over it may be no more than a sign of listening. */
export function isHeard(state: ConversationState): boolean {
  const { agent } = state;
  return agent.kind === 'active' && agent.speeches.some(({ started, finished }) => started && !finished);
}

/** Whether these words, said over the agent, only show that the caller listens. */
export function isListening(state: ConversationState, text: string): boolean {
  const { ignore_backchannels: ignores, backchannels } = state.config.speech.interruption;
  return ignores && isHeard(state) && isBackchannel(text, state.config.language, backchannels);
}

/** When the speech that is going on interrupts by its length, if it does not pause before; null where it cannot. */
export function interruptAtMs(state: ConversationState): number | null {
  const {
    min_words: minWords,
    min_duration_ms: minDurationMs,
    echo_warmup_ms: warmupMs,
  } = state.config.speech.interruption;
  const { kind, pausedAtMs, voicedSinceMs } = state.user;
  if (kind !== 'speaking' || pausedAtMs !== null || minWords > 0) return null;
  if (state.agent.kind !== 'active' || state.agent.paused !== null) return null;
  const warmAtMs = state.firstSoundAtMs === null ? 0 : state.firstSoundAtMs + warmupMs;
  const dueAtMs = Math.max(voicedSinceMs + minDurationMs, warmAtMs);
  if (!mayInterrupt(state, dueAtMs)) return null;
  const text = turnText(state.user);
  return text !== '' && isListening(state, text) ? null : dueAtMs;
}

/** Whether the words recognized so far interrupt: where the agent waits for words, or holds still to hear some. */
export function interruptsByWords(state: ConversationState, atMs: number): boolean {
  const { min_words: minWords } = state.config.speech.interruption;
  const text = turnText(state.user);
  if (text === '' || !mayInterrupt(state, atMs) || isListening(state, text)) return false;
  const isPaused = state.agent.kind === 'active' && state.agent.paused !== null;
  return isPaused || (minWords > 0 && countWords(text) >= minWords);
}

/** Whether a finished turn of these words takes the floor from an agent that is still speaking. */
export function turnInterrupts(state: ConversationState, text: string, atMs: number): boolean {
  return mayInterrupt(state, atMs) && countWords(text) >= state.config.speech.interruption.min_words;
}

/** When the agent goes on after what was no interruption; null while it may still be one. */
export function resumeAtMs({ agent, config }: ConversationState): number | null {
  if (agent.kind !== 'active' || agent.paused === null || agent.paused.quietSinceMs === null) return null;
  return agent.paused.quietSinceMs + config.speech.interruption.resume_after_ms;
}

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length;
}
