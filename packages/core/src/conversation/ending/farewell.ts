import { cutAgentOff } from '../agent-turn/playout.ts';
import { say } from '../agent-turn/reply.ts';
import { sentenceEndMs } from '../agent-turn/sentence-end.ts';
import type { Speech } from '../state/agent/agent-turn.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';

/** Maximum wait for the end of the agent's sentence, so that the farewell fits into the closing phase. */
const sentenceLimitMs = 10_000;

/** Returns when the agent's sentence ends and the farewell follows; null if no farewell is to be said. */
export function sentenceEndAtMs(state: ConversationState): number | null {
  const { phase } = state;
  if (phase.kind !== 'closing' || phase.farewell === null) return null;
  const limitAtMs = phase.sinceMs + sentenceLimitMs;
  const speech = soundingSpeech(state);
  if (speech === undefined || speech.startedAtMs === null) return limitAtMs;
  const endMs = sentenceEndMs(speech, phase.sinceMs - speech.startedAtMs);
  return endMs === null ? limitAtMs : Math.min(limitAtMs, Math.max(phase.sinceMs, speech.startedAtMs + endMs));
}

/** Says the farewell once no sentence of the agent is being heard, in place of everything that it was about to say. */
export function sayFarewell(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  return soundingSpeech(state) === undefined ? sentenceOver(state, atMs, emit) : state;
}

/** Cuts the agent off at the end of its sentence and says the farewell, if there is one. */
export function sentenceOver(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { phase } = state;
  if (phase.kind !== 'closing' || phase.farewell === null) return state;
  const silenced = cutAgentOff({ ...state, phase: { ...phase, farewell: null } }, null, emit);
  return say(silenced, phase.farewell, { interruptible: false, atMs, fixed: true }, emit);
}

/** Returns the utterance that the caller hears. */
function soundingSpeech({ agentTurn }: ConversationState): Speech | undefined {
  if (agentTurn.kind !== 'active') return undefined;
  return agentTurn.speeches.find(({ started, finished }) => started && !finished);
}
