import { type EndpointingDelays, endpointingDelays } from '../../domain/agents/speech/endpointing-presets.ts';
import type { TurnEndStrategy } from '../turn-policy/turn-policy.ts';
import type { TurnSituation } from '../turn-policy/turn-situation.ts';
import { combinedEndProbability } from './end-evidence.ts';
import { pendingPauseMs } from './pauses.ts';

/**
 * Factor for digits and letters that are read out one by one: callers look them up, and pause longer than for a word.
 */
const spellingFactor = 1.2;

/** Ends a turn after a pause whose length depends on `speech_config.endpointing` and on the evidence for its end. */
export const endBySettings: TurnEndStrategy = {
  endsAtMs(situation) {
    const { user, agent } = situation;
    // A speech-to-speech model has heard the words, whenever it reports them.
    const isHeard = situation.isRealtime && !agent.isActive;
    // A recognizer that judges turns ends them itself; the maximum delay applies if it does not.
    const isOpen = (user.awaitsWords && !isHeard) || situation.judgesTurns;
    const delays = endpointingDelays(situation.settings.endpointing);
    return user.lastSpeechAtMs + (isOpen ? delays.maxMs : settledDelayMs(situation, delays));
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
function settledDelayMs(situation: TurnSituation, { minMs, openMs, unfinishedMs, maxMs }: EndpointingDelays): number {
  const { user, settings } = situation;
  const { mode, weights } = settings.endpointing;
  // Speech without words was a noise, except with a speech-to-speech model, which reports the words later.
  if (mode === 'fixed' || (user.text === '' && !situation.isRealtime)) return minMs;
  const pauseMs = Math.min(maxMs, pendingPauseMs(user.learnedPauseMs) * weights.pauses);
  if (user.completeness === 'unfinished') return Math.max(unfinishedMs, pauseMs);
  if (user.completeness === 'spelling') return Math.max(Math.min(maxMs, unfinishedMs * spellingFactor), pauseMs);
  const openness = 1 - combinedEndProbability(situation);
  const delayMs = Math.round(minMs + (openMs - minMs) * openness);
  // A caller who pauses often is waited for, unless nothing suggests that they go on.
  return user.completeness === 'complete' ? delayMs : Math.max(delayMs, pauseMs);
}
