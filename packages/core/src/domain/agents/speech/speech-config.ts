import { z } from 'zod';
import { agentLanguagesSchema } from '../agent-languages.ts';
import { endpointingDelays, endpointingPresets, isAscending } from './endpointing-presets.ts';

const ms = (fallback: number, max: number): z.ZodDefault<z.ZodNumber> => z.number().min(0).max(max).default(fallback);

/** Detection of the start and end of the caller's speech. */
const vadSettingsSchema = z
  .strictObject({
    /** Speech probability (0–1) from which a window counts as speech. */
    start_threshold: z.number().min(0.05).max(0.95).default(0.5),
    /** Within speech, a window below this probability counts as silence. At most the start threshold. */
    end_threshold: z.number().min(0.01).max(0.95).default(0.35),
    min_speech_ms: ms(50, 2_000),
    min_silence_ms: ms(200, 5_000),
  })
  .refine((vad) => vad.end_threshold <= vad.start_threshold, {
    path: ['end_threshold'],
    message: 'must not be above start_threshold',
  });

const optionalMs = (max: number): z.ZodDefault<z.ZodNullable<z.ZodNumber>> =>
  z.number().min(0).max(max).nullable().default(null);
const weight = z.number().min(0).max(4).default(1);

/** Weight of each kind of evidence for the end of a turn: 0 ignores it, 1 is the default. */
const endpointingWeightsSchema = z.strictObject({
  /** The agent's last question, and whether the words answer it. */
  question: weight,
  /** Fade, fall of pitch and length of the last syllable. */
  prosody: weight,
  /** The caller's pauses within earlier turns. */
  pauses: weight,
  /** The judgement of the host's turn model, if there is one. */
  turn_model: weight,
});

/** Endpointing: wait after the caller's last word before the agent takes the turn. */
const endpointingSettingsSchema = z
  .strictObject({
    /** Source of the delays that are null: `quick` answers sooner, `patient` lets callers think. */
    preset: z.enum(endpointingPresets).default('balanced'),
    /**
     * `adaptive` waits by the evidence: shorter after an answer or a complete sentence, longer after incomplete words
     * ("my number is oh six …"); `fixed` always waits `min_delay_ms`.
     */
    mode: z.enum(['adaptive', 'fixed']).default('adaptive'),
    /** Wait when the turn is certainly over; null for the preset's. */
    min_delay_ms: optionalMs(10_000),
    /** Wait after a sentence that may or may not be complete; null for the preset's. */
    open_delay_ms: optionalMs(10_000),
    /** Wait after incomplete words ("I would like to"), or while the caller spells; null for the preset's. */
    unfinished_delay_ms: optionalMs(10_000),
    /** Maximum wait, also for final words that the recognizer has not sent yet; null for the preset's. */
    max_delay_ms: optionalMs(30_000),
    weights: endpointingWeightsSchema.prefault({}),
    /** Maximum length of a turn without a pause before the agent replies; 0 for no limit. */
    max_turn_ms: ms(60_000, 600_000),
  })
  .refine((endpointing) => isAscending(endpointingDelays(endpointing)), {
    path: ['max_delay_ms'],
    message: 'must not be below the other delays, nor min_delay_ms above them',
  });

/**
 * Conditions in which the caller's speech is ignored: `first_speech` while the agent speaks in its first turn,
 * `until_first_bot_complete` from the answer of the call to the end of the first message, `function_call` while a tool
 * runs, `always` whenever the agent speaks.
 */
const muteStrategies = ['first_speech', 'until_first_bot_complete', 'function_call', 'always'] as const;

/** Conditions of a barge-in. */
const interruptionSettingsSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Attenuation of the agent's voice, in dB, from the first sound of a caller that may interrupt; 0 for none. */
  lower_db: z.number().min(0).max(40).default(12),
  /**
   * Duration of speech after which the agent pauses. Words of the caller then cut it off; without words it resumes
   * `resume_after_ms` after the speech.
   */
  min_duration_ms: ms(250, 10_000),
  /** Recognized words needed to interrupt; with 0, speech alone interrupts. */
  min_words: z.int().min(0).max(20).default(0),
  /** True: backchannels such as "uh-huh" do not interrupt. */
  ignore_backchannels: z.boolean().default(true),
  /** Additional backchannels: words and phrases. */
  backchannels: z.array(z.string().min(1).max(50)).max(100).default([]),
  /** Time after speech without words until the paused agent resumes; 0: it is cut off instead of paused. */
  resume_after_ms: ms(2_000, 10_000),
  /** True if the caller can interrupt while a tool runs. */
  during_tools: z.boolean().default(true),
  /**
   * Time from the agent's first sound in which it cannot be interrupted, because an echo canceller has to adapt to the
   * line.
   */
  echo_warmup_ms: ms(0, 10_000),
  /** Conditions in which the caller's speech is dropped. DTMF still counts, and so does speech that outlasts them. */
  mute_strategies: z.array(z.enum(muteStrategies)).max(muteStrategies.length).default([]),
});

/** Handling of speech without recognized words. A speech-to-speech model decides by itself. */
const unrecognizedSettingsSchema = z.strictObject({
  /** Duration after which speech without words counts as noise and the agent resumes; 0 waits for its end. */
  timeout_ms: ms(10_000, 120_000),
  /**
   * Questions to the caller after speech without words, if the agent has nothing else to say: one per consecutive
   * occurrence, none after the last.
   */
  prompts: z
    .array(z.string().min(1).max(1_000))
    .max(10)
    .default(['Sorry, I did not understand that. Could you say it again?']),
  /** Minimum duration of speech without words that triggers a question. */
  min_speech_ms: ms(1_500, 30_000),
});

/** Preemptive generation: model and synthesizer start on the probable words before the turn ends. */
const preemptiveSettingsSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Time for which the words must be unchanged, in a pause of the speech. */
  stable_ms: ms(100, 2_000),
  /** True: the first clause is synthesized as well, which is billed even if it is not used. */
  speech: z.boolean().default(true),
  /** Maximum attempts per turn. */
  max_attempts: z.int().min(1).max(10).default(3),
});

/** Prompts when neither side speaks, and the hang-up after them. */
const silenceSettingsSchema = z.strictObject({
  timeout_ms: z.number().min(1_000).max(600_000).default(10_000),
  /** Spoken in order, one per timeout; the timeout after the last one hangs up. */
  prompts: z.array(z.string().min(1)).max(10).default(['Are you still there?', 'Hello? I cannot hear you.']),
});

/** Filler spoken when a reply takes long. */
const fillerSettingsSchema = z.strictObject({
  /** Used in rotation; empty for none. */
  phrases: z.array(z.string().min(1).max(200)).max(20).default([]),
  delay_ms: ms(1_500, 30_000),
});

/** DTMF input, which becomes a turn of the caller. */
const dtmfSettingsSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Time after the last key at which the input is complete. */
  timeout_ms: ms(2_000, 30_000),
  /** Key that completes the input; null for none. */
  terminator: z
    .string()
    .regex(/^[0-9*#A-D]$/)
    .nullable()
    .default('#'),
  /** Number of digits that completes the input; 0 for none. */
  max_digits: z.int().min(0).max(64).default(0),
});

const pronunciationSchema = z.strictObject({
  /** Written form: a word or a phrase. */
  text: z.string().min(1).max(100),
  /** Spoken form. */
  say: z.string().min(1).max(200),
  case_sensitive: z.boolean().default(false),
});

const clipNameSchema = z.string().min(1).max(64);

/** Audio for the caller during a transfer. */
const holdSettingsSchema = z.strictObject({
  /** A clip of the host, such as music; null leaves the background sound. */
  clip: clipNameSchema.nullable().default(null),
  /** 0–1 of full scale. */
  volume: z.number().min(0).max(1).default(0.3),
});

/** Background sound behind the agent, so that a silent line does not seem dead. */
const ambientSettingsSchema = z.strictObject({
  sound: z.enum(['none', 'office', 'cafe', 'static']).default('none'),
  /** A clip of the host, in place of `sound`. */
  clip: clipNameSchema.nullable().default(null),
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
  hold: holdSettingsSchema.prefault({}),
  /** True: numbers, dates, addresses and symbols are converted to words before synthesis. */
  normalize_text: z.boolean().default(true),
  pronunciations: z.array(pronunciationSchema).max(200).default([]),
  /** True if the caller can interrupt the first message. */
  first_message_interruptible: z.boolean().default(true),
  languages: agentLanguagesSchema.default([]),
});

/** Turn-taking and speech settings of an agent. */
export type SpeechConfig = z.infer<typeof speechConfigSchema>;
/** Background sound of an agent. */
export type AmbientSettings = z.infer<typeof ambientSettingsSchema>;

/** Settings of an agent without `speech_config`. */
export const defaultSpeechConfig: SpeechConfig = speechConfigSchema.parse({});
