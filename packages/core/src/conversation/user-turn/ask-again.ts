import { say } from '../agent-turn/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { pendingCalls } from '../state/tool-ledger.ts';
import type { UserTurn } from '../state/user-turn.ts';

/** Asks a caller whose words were not recognized to repeat them, unless the agent has something else to say. */
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
