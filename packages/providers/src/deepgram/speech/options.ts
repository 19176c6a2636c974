import { z } from 'zod';
import { queryOptions } from '../../shared/options/vendor-options.ts';

/** Query parameters that the adapter and the host decide about. */
const reserved = [
  ...['model', 'encoding', 'sample_rate', 'container', 'bit_rate', 'callback', 'callback_method'],
  ...['mip_opt_out', 'tag', 'token'],
];

/**
 * Settings of `tts_config` beside the common ones, under the names of the service.
 * @see https://developers.deepgram.com/docs/tts-voice-controls
 */
export const speechOptionsSchema = z.object({
  /** Speed of the speech, for languages that support it. */
  speed: z.number().min(0.7).max(1.5).optional(),
  /** Further query parameters of the service. */
  options: queryOptions(reserved),
});
