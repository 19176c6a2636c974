import { z } from 'zod';
import { queryOptions } from '../../shared/options/vendor-options.ts';

/** Query parameters that the adapter and the host decide about. */
const reserved = [
  ...['model_id', 'audio_format', 'commit_strategy', 'language_code', 'keyterms', 'enable_logging', 'token'],
  ...['vad_silence_threshold_secs', 'vad_threshold', 'min_speech_duration_ms', 'min_silence_duration_ms'],
];

/**
 * Settings of `stt_config` beside the common ones, under the names of the service.
 * @see https://elevenlabs.io/docs/api-reference/speech-to-text/v-1-speech-to-text-realtime
 */
export const transcriptionOptionsSchema = z.object({
  /** True removes filler words. */
  no_verbatim: z.boolean().optional(),
  secondary_languages: z.array(z.string().min(2).max(3)).max(10).optional(),
  filter_background_audio: z.boolean().optional(),
  /** Further query parameters of the service. */
  options: queryOptions(reserved),
});

const maxKeyterms = 50;
const maxKeytermCharacters = 20;
const maxKeytermWords = 5;

/** Returns the key terms that the service accepts. */
export function fittingKeyterms(terms: readonly string[]): string[] {
  const fits = (term: string): boolean =>
    term.length > 0 && term.length <= maxKeytermCharacters && term.split(/\s+/).length <= maxKeytermWords;
  return terms.filter(fits).slice(0, maxKeyterms);
}
