import { z } from 'zod';
import { ttsConfigSchema } from './tts-config.ts';

const maxSampleCharacters = 200;

/** Body of `POST /voices/sample`: the voice, and the text that it speaks. */
export const voiceSampleSchema = z.strictObject({
  /** As in an agent; `fallbacks` are not used. */
  tts_config: ttsConfigSchema,
  /** BCP 47 tag of the sentence, unless `tts_config` has a language. English without both. */
  language: z.string().min(1).max(35).optional(),
  /** Spoken instead of the default sentence of the language, such as the first message of an agent. */
  text: z.string().trim().min(1).max(maxSampleCharacters).optional(),
});

/** Body of `POST /voices/sample`. */
export type NewVoiceSample = z.input<typeof voiceSampleSchema>;
