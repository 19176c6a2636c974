import type { speechConfigSchema } from '@va/core';
import type { z } from 'zod';

/** `speech_config` as it is written: every field is optional. */
export type SpeechConfigInput = z.input<typeof speechConfigSchema>;

/**
 * Returns a `speech_config` whose delays depend on the words alone and not on how they are spoken: 500 ms after words
 * that may be whole, 1,500 ms after others, an agent that stops after 500 ms of speech over it, and a voice that is
 * never lowered. Times of tests stay easy to follow with it.
 */
export function steadySpeech(config: SpeechConfigInput): SpeechConfigInput {
  const { vad, endpointing, interruption, preemptive } = config;
  const minMs = endpointing?.min_delay_ms ?? 500;
  const maxMs = endpointing?.max_delay_ms ?? Math.max(3_000, minMs);
  return {
    ...config,
    vad: { min_silence_ms: 550, ...vad },
    endpointing: {
      min_delay_ms: minMs,
      open_delay_ms: minMs,
      unfinished_delay_ms: Math.min(maxMs, Math.max(minMs, 1_500)),
      max_delay_ms: maxMs,
      ...endpointing,
    },
    interruption: { min_duration_ms: 500, lower_db: 0, ...interruption },
    preemptive: { stable_ms: 200, ...preemptive },
  };
}
