import { z } from 'zod';
import type { SettingsOf } from '../shared/options/options.ts';
import { queryOptions } from '../shared/options/vendor-options.ts';

/** Query parameters that the adapter and the host decide about. */
const reserved = [
  ...['speech_model', 'encoding', 'sample_rate', 'keyterms', 'keyterms_prompt', 'token', 'channels'],
  ...['webhook_url', 'webhook_auth_header_name', 'webhook_auth_header_value', 'llm_gateway', 'inactivity_timeout'],
];

/**
 * Settings of `stt_config` beside the common ones, under the names of the service.
 * @see https://www.assemblyai.com/docs/api-reference/streaming-api/universal-streaming
 */
export const optionsSchema = z.object({
  /** `vendor` (default): the service ends turns. `pipeline`: the pipeline does, by `ForceEndpoint`. */
  turn_detection: z.enum(['vendor', 'pipeline']).optional(),
  /** True (default) for transcripts with punctuation and digits. */
  format_turns: z.boolean().optional(),
  end_of_turn_confidence_threshold: z.number().min(0).max(1).optional(),
  /** Silence in milliseconds after which a turn may end. `max_turn_silence` ends it in any case. */
  min_turn_silence: z.int().min(0).max(10_000).optional(),
  max_turn_silence: z.int().min(0).max(10_000).optional(),
  vad_threshold: z.number().min(0).max(1).optional(),
  filter_profanity: z.boolean().optional(),
  language_detection: z.boolean().optional(),
  prompt: z.string().min(1).max(1_500).optional(),
  domain: z.string().min(1).max(50).optional(),
  voice_focus: z.enum(['near-field', 'far-field']).optional(),
  mode: z.enum(['max_accuracy', 'min_latency', 'balanced']).optional(),
  redact_pii: z.boolean().optional(),
  redact_pii_sub: z.enum(['hash', 'entity_name']).optional(),
  /** Further query parameters of the service. */
  options: queryOptions(reserved),
});

/** Validated settings of `stt_config`. */
export type AssemblyAiSettings = SettingsOf<typeof optionsSchema>;

const maxKeyterms = 100;
const maxKeytermCharacters = 50;

/** Returns the key terms that the service accepts. */
export function fittingKeyterms(terms: readonly string[]): string[] {
  return terms.filter(({ length }) => length > 0 && length <= maxKeytermCharacters).slice(0, maxKeyterms);
}
