import { z } from 'zod';
import { ttsConfigSchema } from './tts-config.ts';

const maxSampleCharacters = 200;

/** Input of a sample: a voice as an agent names it, and what it says. */
export const voiceSampleSchema = z.strictObject({
  /** The field of an agent; `fallbacks` are not used. */
  tts_config: ttsConfigSchema,
  /** BCP 47 tag of the sentence, unless `tts_config` has a language. English without both. */
  language: z.string().min(1).max(35).optional(),
  /** Spoken instead of the sentence of the service, such as the first message of an agent. */
  text: z.string().trim().min(1).max(maxSampleCharacters).optional(),
});

/** Body of `POST /voices/sample`. */
export type NewVoiceSample = z.input<typeof voiceSampleSchema>;
