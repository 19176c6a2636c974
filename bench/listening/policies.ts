import type { speechConfigSchema } from '@va/core';
import type { z } from 'zod';

type SpeechConfig = z.input<typeof speechConfigSchema>;

/** A turn-taking policy, as settings of the pipeline of the service. */
export interface Policy {
  readonly name: 'default' | 'quick' | 'patient' | 'before' | 'livekit' | 'pipecat';
  readonly speech: SpeechConfig;
}

/** Returns endpointing with the same delay after all words. */
function fixed(delayMs: number): NonNullable<SpeechConfig['endpointing']> {
  return { mode: 'fixed', min_delay_ms: delayMs, max_delay_ms: 3_000 };
}

export const policies: readonly Policy[] = [
  { name: 'default', speech: {} },
  { name: 'quick', speech: { endpointing: { preset: 'quick' } } },
  { name: 'patient', speech: { endpointing: { preset: 'patient' } } },
  {
    // The defaults of this service before its policy weighed evidence.
    name: 'before',
    speech: {
      vad: { min_silence_ms: 550 },
      endpointing: {
        min_delay_ms: 500,
        open_delay_ms: 500,
        unfinished_delay_ms: 1_500,
        weights: { question: 0, prosody: 0 },
      },
      interruption: { min_duration_ms: 500, lower_db: 0 },
      preemptive: { stable_ms: 200, speech: false },
    },
  },
  {
    // LiveKit Agents 1.x without a turn detector: `min_silence_duration` of its Silero VAD is 0.55 s, and the end of a
    // turn follows `min_endpointing_delay` of 0.5 s after the last speech and the final words. `max_endpointing_delay`
    // of 3 s is for turn detectors. `min_interruption_duration` is 0.5 s, `false_interruption_timeout` 2 s.
    name: 'livekit',
    speech: {
      vad: { min_silence_ms: 550 },
      endpointing: fixed(500),
      interruption: { min_duration_ms: 500, lower_db: 0, ignore_backchannels: false },
      preemptive: { stable_ms: 200, speech: false },
    },
  },
  {
    // Pipecat's `VADParams` without a turn analyzer: confidence 0.7, start 0.2 s, stop 0.8 s. Speech interrupts at
    // once.
    name: 'pipecat',
    speech: {
      vad: { start_threshold: 0.7, min_speech_ms: 200, min_silence_ms: 800 },
      endpointing: fixed(800),
      interruption: { min_duration_ms: 200, lower_db: 0, resume_after_ms: 0, ignore_backchannels: false },
      preemptive: { enabled: false },
    },
  },
];
