import { z } from 'zod';

const ms = (fallback: number, max: number): z.ZodDefault<z.ZodNumber> => z.number().min(0).max(max).default(fallback);

/** When the caller's speech is taken to start and end. */
export const vadSettingsSchema = z
  .strictObject({
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
  .strictObject({
    /**
     * `adaptive` waits longer where the words are not complete ("my number is oh six …"), and as long as this caller's
     * pauses have been; `fixed` always waits `min_delay_ms`.
     */
    mode: z.enum(['adaptive', 'fixed']).default('adaptive'),
    min_delay_ms: ms(500, 10_000),
    max_delay_ms: ms(3_000, 30_000),
    /** A caller who talks on without a pause is answered after this long; 0 lets them. */
    max_turn_ms: ms(60_000, 600_000),
  })
  .refine((endpointing) => endpointing.min_delay_ms <= endpointing.max_delay_ms, {
    path: ['max_delay_ms'],
    message: 'must not be below min_delay_ms',
  });

/**
 * When the caller is not listened to at all: `first_speech` while the agent speaks for the first time,
 * `until_first_bot_complete` from the answer to the end of the first message, `function_call` while a tool runs,
 * `always` whenever the agent is heard.
 */
const muteStrategies = ['first_speech', 'until_first_bot_complete', 'function_call', 'always'] as const;

/** What it takes to interrupt the agent while it speaks. */
export const interruptionSettingsSchema = z.strictObject({
  enabled: z.boolean().default(true),
  min_duration_ms: ms(500, 10_000),
  /** With more than 0, speech alone does not interrupt: that many recognized words do. */
  min_words: z.int().min(0).max(20).default(0),
  /** Whether "uh-huh" and the like, said while the agent speaks, let it speak on. */
  ignore_backchannels: z.boolean().default(true),
  /** More words and phrases that only show that the caller listens. */
  backchannels: z.array(z.string().min(1).max(50)).max(100).default([]),
  /** After a noise without words the agent goes on where it stopped, this long after it; 0 stops it for good. */
  resume_after_ms: ms(2_000, 10_000),
  /** Whether the caller can interrupt while a tool runs. */
  during_tools: z.boolean().default(true),
  /**
   * From the agent's first sound on the caller cannot interrupt for so long: an echo canceller has to learn the line.
   */
  echo_warmup_ms: ms(0, 10_000),
  /** When what the caller says is dropped. Keys still count, and so does speech that goes on afterwards, from there. */
  mute_strategies: z.array(z.enum(muteStrategies)).max(muteStrategies.length).default([]),
});

/** What becomes of speech in which the recognizer finds no word. A speech-to-speech model judges that by itself. */
export const unrecognizedSettingsSchema = z.strictObject({
  /**
   * Speech that goes on for so long without a word is taken for a noise, and the agent goes on; 0 waits for its end.
   */
  timeout_ms: ms(10_000, 120_000),
  /**
   * What the caller is asked then, where nobody else has anything to say: one each time in a row, and nothing after the
   * last.
   */
  prompts: z
    .array(z.string().min(1).max(1_000))
    .max(10)
    .default(['Sorry, I did not understand that. Could you say it again?']),
  /** Whoever spoke shorter is not asked. */
  min_speech_ms: ms(1_500, 30_000),
});

/** Whether the model starts on what the caller is likely to have said, before the turn is over. */
export const preemptiveSettingsSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** The words must have stayed the same for so long, in a pause of the speech. */
  stable_ms: ms(200, 2_000),
  /** How often in one turn. */
  max_attempts: z.int().min(1).max(10).default(3),
});

/** What the agent says when neither side has spoken, and when it gives up. */
export const silenceSettingsSchema = z.strictObject({
  timeout_ms: z.number().min(1_000).max(600_000).default(10_000),
  /** Spoken in turn, one per timeout; after the last one the next timeout hangs up. */
  prompts: z.array(z.string().min(1)).max(10).default(['Are you still there?', 'Hello? I cannot hear you.']),
});

/** What the agent says where its reply is long in coming. */
export const fillerSettingsSchema = z.strictObject({
  /** One of them, in turn; none are said where there are none. */
  phrases: z.array(z.string().min(1).max(200)).max(20).default([]),
  delay_ms: ms(1_500, 30_000),
});

/** Keys that the caller presses, which become a turn of theirs. */
export const dtmfSettingsSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** So long after the last key the digits are complete. */
  timeout_ms: ms(2_000, 30_000),
  /** The key that completes them; null for none. */
  terminator: z
    .string()
    .regex(/^[0-9*#A-D]$/)
    .nullable()
    .default('#'),
  /** As many are complete at once; 0 for no such number. */
  max_digits: z.int().min(0).max(64).default(0),
});

export const pronunciationSchema = z.strictObject({
  /** As it is written: a word or a phrase. */
  text: z.string().min(1).max(100),
  /** As it is to be said. */
  say: z.string().min(1).max(200),
  case_sensitive: z.boolean().default(false),
});

/** Sound behind the agent's voice, so that a line without speech does not seem dead. */
export const ambientSettingsSchema = z.strictObject({
  sound: z.enum(['none', 'office', 'cafe', 'static']).default('none'),
  /** 0–1 of full scale. */
  volume: z.number().min(0).max(1).default(0.1),
});

/** Turn taking and speech behaviour of an agent. Every key has a default. */
export const speechConfigSchema = z.strictObject({
  vad: vadSettingsSchema.prefault({}),
  endpointing: endpointingSettingsSchema.prefault({}),
  interruption: interruptionSettingsSchema.prefault({}),
  unrecognized: unrecognizedSettingsSchema.prefault({}),
  preemptive: preemptiveSettingsSchema.prefault({}),
  silence: silenceSettingsSchema.prefault({}),
  filler: fillerSettingsSchema.prefault({}),
  dtmf: dtmfSettingsSchema.prefault({}),
  ambient: ambientSettingsSchema.prefault({}),
  /** Whether numbers, dates, addresses and marks in the agent's texts are put into words before they are spoken. */
  normalize_text: z.boolean().default(true),
  pronunciations: z.array(pronunciationSchema).max(200).default([]),
  /** Whether the caller can interrupt the first message. */
  first_message_interruptible: z.boolean().default(true),
});

export type SpeechConfig = z.infer<typeof speechConfigSchema>;
export type VadSettings = z.infer<typeof vadSettingsSchema>;
export type AmbientSettings = z.infer<typeof ambientSettingsSchema>;
export type Pronunciation = z.infer<typeof pronunciationSchema>;

export const defaultSpeechConfig: SpeechConfig = speechConfigSchema.parse({});
