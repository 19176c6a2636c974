import { z } from 'zod';

const maxFallbacks = 3;

/** Returns true if the configuration has no fallbacks, as is required of a fallback. */
export function isAlone(config: object): boolean {
  return !Object.hasOwn(config, 'fallbacks');
}

export const alone = { path: ['fallbacks'], message: 'a fallback has no fallbacks of its own' };

const ttsFields = {
  provider: z.string().min(1),
  voiceId: z.string().optional(),
  model: z.string().optional(),
  /** BCP 47 language tag of the text; by default that of `stt_config`. */
  language: z.string().optional(),
};

/** Text-to-speech settings of an agent: those that all providers share; a provider checks its own. */
export const ttsConfigSchema = z.looseObject({
  ...ttsFields,
  /** Used in this order when the provider fails. */
  fallbacks: z.array(z.looseObject(ttsFields).refine(isAlone, alone)).max(maxFallbacks).optional(),
});

/** Text-to-speech settings of an agent. */
export type TtsConfig = z.infer<typeof ttsConfigSchema>;
