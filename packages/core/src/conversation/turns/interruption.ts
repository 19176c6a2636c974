import { isBackchannel } from '@va/language';
import type { InterruptionStrategy } from '../turn-policy/turn-policy.ts';

/** Decides on interruptions by `speech_config.interruption`. */
export const interruptionBySettings: InterruptionStrategy = {
  mayInterrupt({ agent, floor, settings }, atMs) {
    const { enabled, during_tools: duringTools, echo_warmup_ms: warmupMs } = settings.interruption;
    if (!enabled || !agent.isInterruptible) return false;
    if (!duringTools && floor.holders.includes('tool')) return false;
    return agent.firstSoundAtMs === null || atMs >= agent.firstSoundAtMs + warmupMs;
  },

  lowersVoice: ({ settings }) => settings.interruption.lower_db > 0,

  interruptsAtMs({ user, agent, settings }) {
    const { min_words: minWords, min_duration_ms: minDurationMs, echo_warmup_ms: warmupMs } = settings.interruption;
    if (minWords > 0) return null;
    const warmAtMs = agent.firstSoundAtMs === null ? 0 : agent.firstSoundAtMs + warmupMs;
    return Math.max(user.voicedSinceMs + minDurationMs, warmAtMs);
  },

  wordsInterrupt({ user, agent, settings }) {
    const { min_words: minWords } = settings.interruption;
    return agent.isPaused || (minWords > 0 && countWords(user.text) >= minWords);
  },

  turnInterrupts({ user, settings }) {
    return countWords(user.text) >= settings.interruption.min_words;
  },

  isBackchannel({ user, language, settings }) {
    const { ignore_backchannels: ignores, backchannels } = settings.interruption;
    return ignores && isBackchannel(user.text, language, backchannels);
  },

  resumesAtMs({ settings }, quietSinceMs) {
    return quietSinceMs + settings.interruption.resume_after_ms;
  },
};

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length;
}
