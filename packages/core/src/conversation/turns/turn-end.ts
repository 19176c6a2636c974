import type { TurnEndStrategy } from '../turn-policy/turn-policy.ts';
import type { TurnSituation } from '../turn-policy/turn-situation.ts';
import { pendingPauseMs } from './pauses.ts';

/** Common time between words that a caller is searching for, and between digits that they read out. */
const unfinishedDelayMs = 1_500;
const spellingDelayMs = 1_800;

/** Ends a turn after a pause whose length depends on `speech_config.endpointing`, the words and the caller's habit. */
export const endBySettings: TurnEndStrategy = {
  endsAtMs(situation) {
    const { user, agent, settings } = situation;
    // A speech-to-speech model has heard the words, whenever it reports them.
    const isHeard = situation.isRealtime && !agent.isActive;
    // A recognizer that judges turns ends them by itself; the maximum delay is for one that does not.
    const isOpen = (user.awaitsWords && !isHeard) || situation.judgesTurns;
    return user.lastSpeechAtMs + (isOpen ? settings.endpointing.max_delay_ms : settledDelayMs(situation));
  },

  limitAtMs({ user, settings, isRealtime }) {
    const { max_turn_ms: maxTurnMs } = settings.endpointing;
    // A speech-to-speech model reports the words of a turn only when it is over.
    const isSpeech = isRealtime ? user.isVoiced : user.text !== '';
    return maxTurnMs === 0 || !isSpeech ? null : user.startedAtMs + maxTurnMs;
  },

  mayBeOver({ user, settings }) {
    // A reply to half a number would be of no use.
    return settings.endpointing.mode === 'fixed' || user.completeness === 'complete' || user.completeness === 'open';
  },
};

/** Returns how long a pause after settled words must be to end the turn. */
function settledDelayMs({ user, settings }: TurnSituation): number {
  const { mode, min_delay_ms: minMs, max_delay_ms: maxMs } = settings.endpointing;
  if (mode === 'fixed' || user.text === '') return minMs;
  const within = (ms: number): number => Math.min(maxMs, Math.max(minMs, ms));
  const pauseMs = pendingPauseMs(user.learnedPauseMs);
  switch (user.completeness) {
    case 'complete':
      return minMs;
    case 'open':
      return within(pauseMs);
    case 'unfinished':
      return within(Math.max(unfinishedDelayMs, pauseMs));
    case 'spelling':
      return within(Math.max(spellingDelayMs, pauseMs));
  }
}
