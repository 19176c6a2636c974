import type { SpeechConfig } from '../../domain/speech-config.ts';
import type { UserTurn } from '../state.ts';

/**
 * When the caller's turn ends if nothing more is said: the minimum delay after the last speech once the recognizer has
 * settled its words, the maximum delay if it has not.
 */
export function endOfTurnAtMs(user: UserTurn, settings: SpeechConfig['endpointing']): number {
  return user.lastSpeechAtMs + (user.unsettled === 0 ? settings.min_delay_ms : settings.max_delay_ms);
}
