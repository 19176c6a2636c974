import { z } from 'zod';
import { bodyOptions } from '../shared/options/vendor-options.ts';

/** Fields of a request that the adapter decides about. */
const reserved = [
  ...['model_id', 'transcript', 'voice', 'output_format', 'context_id', 'continue', 'flush', 'cancel'],
  ...['language', 'locale', 'add_timestamps', 'add_phoneme_timestamps', 'use_normalized_timestamps'],
];

/**
 * Settings of `tts_config` beside the common ones, under the names of the service.
 * @see https://docs.cartesia.ai/api-reference/tts/websocket
 */
export const optionsSchema = z.object({
  generation_config: z
    .strictObject({
      speed: z.number().min(0.6).max(1.5),
      volume: z.number().min(0.5).max(2),
      emotion: z.string().min(1).max(50),
    })
    .partial()
    .optional(),
  /** `auto`, `off`, or the locale whose rules spell out numbers and dates. */
  normalization: z.string().min(2).max(35).optional(),
  pronunciation_dict_id: z.string().min(1).max(100).optional(),
  /** Time for which the service waits for more text. Default: 0, because the pipeline sends complete clauses. */
  max_buffer_delay_ms: z.int().min(0).max(5_000).optional(),
  /** Further fields of the requests. */
  options: bodyOptions(reserved),
});
