import { z } from 'zod';
import { queryOptions } from '../../shared/options/vendor-options.ts';

/** Query parameters that the adapter decides about. */
const reserved = [
  'model',
  'language',
  'encoding',
  'sample_rate',
  'keyterm',
  'cartesia_version',
  'access_token',
  'api_key',
];

/**
 * Settings of `stt_config` beside the common ones, under the names of the service.
 * @see https://docs.cartesia.ai/api-reference/stt/websocket
 */
export const transcriptionOptionsSchema = z.object({
  /** Volume below which audio counts as silence, from 0 to 1. */
  min_volume: z.number().min(0).max(1).optional(),
  /** Silence after which words are final, in seconds. */
  max_silence_duration_secs: z.number().min(0).max(60).optional(),
  /** Further query parameters of the service. */
  options: queryOptions(reserved),
});

const maxKeyterms = 100;
/** Maximum length of all key terms together. */
const maxCharacters = 1_200;

/** Returns the key terms that the service accepts, in their order; Ink Whisper refuses any. */
export function fittingKeyterms(terms: readonly string[], model: string): string[] {
  if (model.startsWith('ink-whisper')) return [];
  let characters = 0;
  return terms.slice(0, maxKeyterms).filter((term) => {
    if (term === '' || characters + term.length > maxCharacters) return false;
    characters += term.length;
    return true;
  });
}
