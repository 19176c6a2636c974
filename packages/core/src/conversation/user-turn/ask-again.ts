import { say } from '../agent-turn/reply.ts';
import type { UserTurn } from '../state/caller/user-turn.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { floorOf } from '../turns/floor.ts';

/** Asks a caller whose words were not recognized to repeat them, unless the agent has something else to say. */
export function askAgain(state: ConversationState, turn: UserTurn, atMs: number, emit: Emit): ConversationState {
  const { prompts, min_speech_ms: minSpeechMs } = state.config.speech.unrecognized;
  const prompt = prompts[state.caller.unrecognizedTurns];
  const spokeMs = (turn.kind === 'speaking' ? atMs : turn.lastSpeechAtMs) - turn.startedAtMs;
  if (prompt === undefined || !turn.voiced || spokeMs < minSpeechMs || !floorOf(state).canAskAgain) return state;
  const counted = { ...state, caller: { ...state.caller, unrecognizedTurns: state.caller.unrecognizedTurns + 1 } };
  return say(counted, prompt, { interruptible: true, atMs, fixed: true }, emit);
}
