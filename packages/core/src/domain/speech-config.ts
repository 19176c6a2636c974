import { z } from 'zod';

const ms = (fallback: number, max: number): z.ZodDefault<z.ZodNumber> => z.number().min(0).max(max).default(fallback);

/** When the caller's speech is taken to start and end. */
export const vadSettingsSchema = z
  .object({
    /** Speech probability (0–1) from which a window counts as speech. */
    start_threshold: z.number().min(0.05).max(0.95).default(0.5),
    /** Within speech, a window below this probability counts as silence. At most the start threshold. */
    end_threshold: z.number().min(0.01).max(0.95).default(0.35),
    min_speech_ms: ms(50, 2_000),
    min_silence_ms: ms(550, 5_000),
  })
  .refine((vad) => vad.end_threshold <= vad.start_threshold, {
    path: ['end_threshold'],
    message: 'must not be above start_threshold',
  });

/** How long the agent waits after the caller's last word before it takes the turn. */
export const endpointingSettingsSchema = z
  .object({
    min_delay_ms: ms(500, 10_000),
    max_delay_ms: ms(3_000, 30_000),
  })
  .refine((endpointing) => endpointing.min_delay_ms <= endpointing.max_delay_ms, {
    path: ['max_delay_ms'],
    message: 'must not be below min_delay_ms',
  });

/** What it takes to interrupt the agent while it speaks. */
export const interruptionSettingsSchema = z.object({
  enabled: z.boolean().default(true),
  min_duration_ms: ms(500, 10_000),
  /** With more than 0, speech alone does not interrupt: that many recognized words do. */
  min_words: z.int().min(0).max(20).default(0),
});

/** What the agent says when neither side has spoken, and when it gives up. */
export const silenceSettingsSchema = z.object({
  timeout_ms: z.number().min(1_000).max(600_000).default(10_000),
  /** Spoken in turn, one per timeout; after the last one the next timeout hangs up. */
  prompts: z.array(z.string().min(1)).max(10).default(['Are you still there?', 'Hello? I cannot hear you.']),
});

/** Turn taking and speech behaviour of an agent. Every key has a default. */
export const speechConfigSchema = z.object({
  vad: vadSettingsSchema.prefault({}),
  endpointing: endpointingSettingsSchema.prefault({}),
  interruption: interruptionSettingsSchema.prefault({}),
  silence: silenceSettingsSchema.prefault({}),
  /** Whether the caller can interrupt the first message. */
  first_message_interruptible: z.boolean().default(true),
});

export type SpeechConfig = z.infer<typeof speechConfigSchema>;
export type VadSettings = z.infer<typeof vadSettingsSchema>;

export const defaultSpeechConfig: SpeechConfig = speechConfigSchema.parse({});
