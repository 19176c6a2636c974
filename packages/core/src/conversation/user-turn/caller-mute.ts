import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { ConversationEvent } from '../state/events.ts';
import { wantsMute } from '../turns/turn-rules.ts';
import { endTurnNow, partFinalized, speechStarted } from './user-turn.ts';

/** Mutes or unmutes the caller, as the turn policy requires. */
export function noteMute(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const firstSpeech = firstSpeechOf(state);
  // Called after every step, most of which change nothing here.
  const known =
    firstSpeech === state.opening.firstSpeech ? state : { ...state, opening: { ...state.opening, firstSpeech } };
  const wanted = wantsMute(known);
  if (wanted === (known.caller.mute !== null)) return known;
  emit({ type: 'caller-muted', isMuted: wanted });
  return wanted ? muted(known, atMs, emit) : heardAgain(known, atMs, emit);
}

function firstSpeechOf({
  agentTurn,
  opening: { firstSpeech },
}: ConversationState): ConversationState['opening']['firstSpeech'] {
  if (agentTurn.kind === 'active')
    return firstSpeech === 'none' && agentTurn.speeches.length > 0 ? 'going' : firstSpeech;
  return firstSpeech === 'going' ? 'over' : firstSpeech;
}

/** Mutes the caller. The words recognized before become a turn. */
function muted(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { kind } = state.userTurn;
  const mute = { isSpeaking: kind === 'speaking' };
  const deaf: ConversationState = { ...state, caller: { ...state.caller, mute, isSuspected: false } };
  return kind === 'idle' ? deaf : endTurnNow(deaf, atMs, emit);
}

function heardAgain(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const {
    caller: { mute: callerMute },
    phase,
  } = state;
  const listening: ConversationState = { ...state, caller: { ...state.caller, mute: null } };
  const goesOn = callerMute?.isSpeaking === true && phase.kind === 'open';
  return goesOn ? speechStarted(listening, atMs, atMs, emit) : listening;
}

/** Handles the caller's events while muted; returns null for events unrelated to listening. */
export function unheard(state: ConversationState, event: ConversationEvent): ConversationState | null {
  switch (event.type) {
    case 'speech-suspected':
    case 'speech-dismissed':
      return state;
    case 'speech-started':
    case 'speech-ended':
      return { ...state, caller: { ...state.caller, mute: { isSpeaking: event.type === 'speech-started' } } };
    case 'stt-finalized':
      return partFinalized(state, event);
    case 'speech-paused':
    case 'speech-resumed':
    case 'stt-partial':
    case 'stt-final':
    case 'turn-judged':
      return state;
    default:
      return null;
  }
}
