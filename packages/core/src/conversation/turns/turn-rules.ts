import type { ConversationState } from '../state/conversation-state.ts';
import type { TurnSign } from '../turn-policy/turn-policy.ts';
import { floorOf } from './floor.ts';
import { situationOf } from './situation-of.ts';

// Decisions of the conversation's turn policy, within what the floor permits.

/** Returns true if the caller, who has no turn, starts one. */
export function startsTurn(state: ConversationState, sign: TurnSign): boolean {
  return state.config.turnPolicy.start.startsTurn(situationOf(state), sign);
}

/** Returns when the user turn ends if nothing more is said; null if there is no turn or the caller still speaks. */
export function endOfTurnAtMs(state: ConversationState): number | null {
  if (state.userTurn.kind !== 'ending') return null;
  return state.config.turnPolicy.end.endsAtMs(situationOf(state));
}

/** Returns when a user turn ends even if the caller goes on speaking; null for never. */
export function maxTurnAtMs(state: ConversationState): number | null {
  if (state.userTurn.kind === 'idle') return null;
  return state.config.turnPolicy.end.limitAtMs(situationOf(state));
}

/** Returns true if the words so far may be the whole turn. */
export function mayBeOver(state: ConversationState): boolean {
  return state.config.turnPolicy.end.mayBeOver(situationOf(state));
}

/** Returns true if the caller may take the floor from the agent. */
export function mayInterrupt(state: ConversationState, atMs: number): boolean {
  const situation = situationOf(state);
  if (!situation.floor.canInterrupt || !situation.agent.isActive) return false;
  return state.config.turnPolicy.interruption.mayInterrupt(situation, atMs);
}

/** Returns true if the caller hears the agent now. */
export function isHeard(state: ConversationState): boolean {
  return situationOf(state).agent.isHeard;
}

/** Returns true if the words said over the agent are only a backchannel. */
export function isListening(state: ConversationState): boolean {
  return isHeard(state) && state.config.turnPolicy.interruption.isBackchannel(situationOf(state));
}

/** Returns true if the agent's voice is to be lowered: the caller is or may be speaking over it. */
export function lowersVoice(state: ConversationState, atMs: number): boolean {
  // At most steps the caller makes no sound while the agent speaks.
  if (state.agentTurn.kind === 'silent' || !(state.caller.isSuspected || state.userTurn.kind === 'speaking'))
    return false;
  const situation = situationOf(state);
  const { user, agent } = situation;
  if (!agent.isHeard || !mayInterrupt(state, atMs)) return false;
  if (user.text !== '' && isListening(state)) return false;
  return state.config.turnPolicy.interruption.lowersVoice(situation);
}

/** Returns true if the speech that paused the agent is over and was only a backchannel. */
export function isBackchannelOver(state: ConversationState): boolean {
  const { agentTurn, userTurn } = state;
  if (agentTurn.kind === 'silent' || agentTurn.paused === null || userTurn.kind !== 'ending') return false;
  return userTurn.text !== '' && isListening(state);
}

/** Returns when the current speech interrupts by its length, if it does not pause before; null if it does not. */
export function interruptAtMs(state: ConversationState): number | null {
  const { userTurn, agentTurn } = state;
  if (userTurn.kind !== 'speaking' || userTurn.pausedAtMs !== null) return null;
  if (agentTurn.kind === 'silent' || agentTurn.paused !== null) return null;
  const situation = situationOf(state);
  const dueAtMs = state.config.turnPolicy.interruption.interruptsAtMs(situation);
  if (dueAtMs === null || !mayInterrupt(state, dueAtMs)) return null;
  return userTurn.text !== '' && isListening(state) ? null : dueAtMs;
}

/** Returns true if the words recognized so far interrupt. */
export function interruptsByWords(state: ConversationState, atMs: number): boolean {
  const situation = situationOf(state);
  if (situation.user.text === '' || !mayInterrupt(state, atMs) || isListening(state)) return false;
  return state.config.turnPolicy.interruption.wordsInterrupt(situation);
}

/** Returns true if the finished turn takes the floor from an agent that is still speaking. */
export function turnInterrupts(state: ConversationState, atMs: number): boolean {
  return mayInterrupt(state, atMs) && state.config.turnPolicy.interruption.turnInterrupts(situationOf(state));
}

/**
 * Returns when the paused agent resumes after a false interruption; null without a pause, and while the possible
 * interruption goes on.
 */
export function resumeAtMs(state: ConversationState): number | null {
  const { agentTurn } = state;
  const quietSinceMs = agentTurn.kind === 'active' ? (agentTurn.paused?.quietSinceMs ?? null) : null;
  if (quietSinceMs === null) return null;
  return state.config.turnPolicy.interruption.resumesAtMs(situationOf(state), quietSinceMs);
}

/** Returns true if the caller has to be muted. */
export function wantsMute(state: ConversationState): boolean {
  // The floor permits no mute during answering-machine detection, which needs the caller's words, nor while the agent
  // is muted and says nothing that the caller could disturb.
  return floorOf(state).canMuteCaller && state.config.turnPolicy.mute.mutesCaller(situationOf(state));
}
