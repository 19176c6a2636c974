import type { ConversationState } from '../state/conversation-state.ts';
import type { TurnSign } from '../turn-policy/turn-policy.ts';
import { situationOf } from './situation-of.ts';

/** Decisions of the conversation's turn policy, within what the floor permits. */

/** Whether the caller, who has no turn, starts one. */
export function startsTurn(state: ConversationState, sign: TurnSign): boolean {
  return state.config.turnPolicy.start.startsTurn(situationOf(state), sign);
}

/** When the user turn ends if nothing more is said; null while the caller speaks. */
export function endOfTurnAtMs(state: ConversationState): number | null {
  if (state.userTurn.kind !== 'ending') return null;
  return state.config.turnPolicy.end.endsAtMs(situationOf(state));
}

/** When a user turn without a pause is answered nevertheless. */
export function maxTurnAtMs(state: ConversationState): number | null {
  if (state.userTurn.kind === 'idle') return null;
  return state.config.turnPolicy.end.limitAtMs(situationOf(state));
}

/** Whether the words so far may be the whole turn. */
export function mayBeOver(state: ConversationState): boolean {
  return state.config.turnPolicy.end.mayBeOver(situationOf(state));
}

/** Whether the caller may take the floor from the agent. */
export function mayInterrupt(state: ConversationState, atMs: number): boolean {
  const situation = situationOf(state);
  if (!situation.floor.canInterrupt || !situation.agent.isActive) return false;
  return state.config.turnPolicy.interruption.mayInterrupt(situation, atMs);
}

/** Whether the caller hears the agent now. */
export function isHeard(state: ConversationState): boolean {
  return situationOf(state).agent.isHeard;
}

/** Whether the words said over the agent only show that the caller listens. */
export function isListening(state: ConversationState): boolean {
  return isHeard(state) && state.config.turnPolicy.interruption.isBackchannel(situationOf(state));
}

/** When the speech that is going on interrupts by its length, if it does not pause before; null if it does not. */
export function interruptAtMs(state: ConversationState): number | null {
  const situation = situationOf(state);
  const { user, agent } = situation;
  if (user.kind !== 'speaking' || user.pausedAtMs !== null || !agent.isActive || agent.isPaused) return null;
  const dueAtMs = state.config.turnPolicy.interruption.interruptsAtMs(situation);
  if (dueAtMs === null || !mayInterrupt(state, dueAtMs)) return null;
  return user.text !== '' && isListening(state) ? null : dueAtMs;
}

/** Whether the words recognized so far interrupt. */
export function interruptsByWords(state: ConversationState, atMs: number): boolean {
  const situation = situationOf(state);
  if (situation.user.text === '' || !mayInterrupt(state, atMs) || isListening(state)) return false;
  return state.config.turnPolicy.interruption.wordsInterrupt(situation);
}

/** Whether the finished turn takes the floor from an agent that is still speaking. */
export function turnInterrupts(state: ConversationState, atMs: number): boolean {
  return mayInterrupt(state, atMs) && state.config.turnPolicy.interruption.turnInterrupts(situationOf(state));
}

/** When the paused agent resumes after what was no interruption; null while it may still be one. */
export function resumeAtMs(state: ConversationState): number | null {
  const situation = situationOf(state);
  const { quietSinceMs } = situation.agent;
  if (quietSinceMs === null) return null;
  return state.config.turnPolicy.interruption.resumesAtMs(situation, quietSinceMs);
}

/** Whether the caller is to be muted. */
export function wantsMute(state: ConversationState): boolean {
  const situation = situationOf(state);
  // Detecting who answered needs the caller's words, and a muted agent says nothing that they could disturb.
  return situation.floor.canMuteCaller && state.config.turnPolicy.mute.mutesCaller(situation);
}
