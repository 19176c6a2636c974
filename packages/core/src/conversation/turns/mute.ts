import type { SpeechConfig } from '../../domain/agents/speech-config.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { pendingCalls } from '../state/tool-ledger.ts';
import { isHeard } from './interruption.ts';

type MuteStrategy = SpeechConfig['interruption']['mute_strategies'][number];

/** Whether the caller is not listened to now, by the strategies of the agent. */
export function wantsMute(state: ConversationState): boolean {
  const { config, phase, answering, isMuted } = state;
  // Who has answered is found out by listening, and an agent that says nothing hides nothing.
  if (phase.kind !== 'open' || answering !== null || isMuted) return false;
  return config.speech.interruption.mute_strategies.some((strategy) => isMuting(strategy, state));
}

function isMuting(strategy: MuteStrategy, state: ConversationState): boolean {
  switch (strategy) {
    case 'first_speech':
      return state.firstSpeech !== 'over' && isHeard(state);
    case 'until_first_bot_complete':
      return state.firstSpeech !== 'over' && (state.config.firstMessage ?? '').trim() !== '';
    case 'function_call':
      return pendingCalls(state.ledger).length > 0;
    case 'always':
      return isHeard(state);
  }
}
