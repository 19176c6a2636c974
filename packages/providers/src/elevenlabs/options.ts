import { z } from 'zod';
import { queryOptions } from '../shared/options/vendor-options.ts';

/** Query parameters that the adapter and the host decide about. */
const reserved = [
  ...['model_id', 'output_format', 'auto_mode', 'sync_alignment', 'inactivity_timeout'],
  ...['language_code', 'enable_logging', 'authorization', 'single_use_token'],
];

/**
 * Settings of `tts_config` beside the common ones, under the names of the service.
 * @see https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input
 */
export const optionsSchema = z.object({
  model: z
    .string()
    .refine((model) => !model.startsWith('eleven_v3'), {
      message: 'eleven_v3 cannot be used in calls: it is not available over WebSockets; use eleven_flash_v2_5',
    })
    .optional(),
  voice_settings: z
    .strictObject({
      stability: z.number().min(0).max(1),
      similarity_boost: z.number().min(0).max(1),
      style: z.number().min(0).max(1),
      use_speaker_boost: z.boolean(),
      speed: z.number().min(0.7).max(1.2),
    })
    .partial()
    .optional(),
  /** Spelling out of numbers, dates and similar text. */
  apply_text_normalization: z.enum(['auto', 'on', 'off']).optional(),
  pronunciation_dictionary_locators: z
    .array(
      z.strictObject({
        pronunciation_dictionary_id: z.string().min(1).max(100),
        version_id: z.string().min(1).max(100).optional(),
      }),
    )
    .max(3)
    .optional(),
  /** Interprets `<phoneme>` and `<break>` in texts. */
  enable_ssml_parsing: z.boolean().optional(),
  /** The same seed and text produce the same speech, as far as the service can guarantee it. */
  seed: z.int().min(0).max(4_294_967_295).optional(),
  /** Further query parameters of the service. */
  options: queryOptions(reserved),
});

/** Models that accept a language; others respond with an error. */
const modelsWithLanguage = /^eleven_(flash|turbo)_v2_5/;
/** Languages of these models (ISO 639-1). */
const languages = new Set(
  'ar bg cs da de el en es fi fil fr hi hr hu id it ja ko ms nl no pl pt ro ru sk sv ta tr uk vi zh'.split(' '),
);

/** Returns the `language_code` for a model; undefined if the model detects the language itself. */
export function languageCodeFor(model: string, code: string | undefined): string | undefined {
  return code !== undefined && modelsWithLanguage.test(model) && languages.has(code) ? code : undefined;
}
