import { resumeAgent } from './agent-speech.ts';
import { say } from './agent-turn.ts';
import type { Emit } from './effects.ts';
import type { ConversationState, UserTurn } from './state.ts';
import { pendingCalls } from './tool-ledger.ts';
import { turnText } from './turns/turn-text.ts';
import { endTurn, settleWords } from './user-turn.ts';

/** Speech in which no word is recognized: a noise that does not end, or a caller who is not understood. */

/**
 * When speech without words is looked into: first the recognizer is asked for what it has, as some tell nothing before
 * that; where there is nothing, or no answer, it is a noise.
 */
export function noWordsAtMs({ user, config }: ConversationState): number | null {
  const { timeout_ms: timeoutMs } = config.speech.unrecognized;
  if (config.isRealtime || timeoutMs === 0 || user.kind !== 'speaking' || turnText(user) !== '') return null;
  if (user.probedAtMs === null) return user.startedAtMs + timeoutMs;
  return user.unsettled === 0 ? user.probedAtMs : user.probedAtMs + config.speech.endpointing.max_delay_ms;
}

export function noWords(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  if (state.user.probedAtMs !== null) return resumeAgent(endTurn(state, atMs, emit), emit);
  const asked = settleWords(state, emit);
  return { ...asked, user: { ...asked.user, probedAtMs: atMs } };
}

/**
 * A caller who has said something that nobody understood is asked to say it again, where nothing else is to be said.
 */
export function askAgain(state: ConversationState, turn: UserTurn, atMs: number, emit: Emit): ConversationState {
  const { prompts, min_speech_ms: minSpeechMs } = state.config.speech.unrecognized;
  const prompt = prompts[state.unrecognized];
  const spokeMs = (turn.kind === 'speaking' ? atMs : turn.lastSpeechAtMs) - turn.startedAtMs;
  if (prompt === undefined || !turn.voiced || spokeMs < minSpeechMs || !isFree(state)) return state;
  const counted = { ...state, unrecognized: state.unrecognized + 1 };
  return say(counted, prompt, { interruptible: true, atMs, fixed: true }, emit);
}

function isFree(state: ConversationState): boolean {
  return (
    state.phase.kind === 'open' &&
    state.agent.kind === 'silent' &&
    state.answering === null &&
    state.replyDue === null &&
    state.transfer === null &&
    state.callerMute === null &&
    state.keys === null &&
    state.cutOff.length === 0 &&
    !state.isMuted &&
    !state.onHold &&
    pendingCalls(state.ledger).length === 0
  );
}
