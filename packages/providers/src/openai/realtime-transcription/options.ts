import type { SttStreamOptions } from '@va/core/adapter';
import { z } from 'zod';
import type { VendorFields } from '../../shared/json.ts';
import { languageSubtagOf, type SettingsOf } from '../../shared/options/options.ts';
import { bodyOptions } from '../../shared/options/vendor-options.ts';
import { promptOf } from '../transcription-prompt.ts';

/** Fields of `audio.input.transcription` that the adapter sets; `options` must not contain them. */
const reserved = ['model', 'language', 'languages', 'keywords', 'prompt'];

/**
 * Settings of `stt_config` beside the common ones, under the names of the service.
 * @see https://platform.openai.com/docs/guides/realtime-transcription
 */
export const realtimeTranscriptionOptions = z.object({
  /** Text that guides the model's style; the key terms follow it for models without `keywords`. */
  prompt: z.string().max(2_000).optional(),
  /** Wait before words are reported, for models that stream: later words are more exact. */
  delay: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  noise_reduction: z.enum(['near_field', 'far_field']).optional(),
  /** Further fields of `audio.input.transcription`. */
  options: bodyOptions(reserved),
});

/** Validated settings of `stt_config`. */
type RealtimeTranscriptionSettings = SettingsOf<typeof realtimeTranscriptionOptions>;

const maxKeywords = 100;
/** The service refuses keywords with these characters. */
const refusedCharacters = /[<>\r\n]/;

/** Returns the key terms that the service accepts as `keywords`. */
function fittingKeywords(terms: readonly string[]): string[] {
  return terms.filter((term) => term !== '' && !refusedCharacters.test(term)).slice(0, maxKeywords);
}

/**
 * Returns true if the model takes the key terms as `keywords` instead of in the `prompt`, and several `languages`
 * instead of one `language`.
 */
function takesKeywords(model: string): boolean {
  return /^gpt-(?:live-)?transcribe/.test(model);
}

/** Returns `audio.input.transcription` of a session. */
export function transcriptionOf(
  model: string,
  { prompt, delay, options }: RealtimeTranscriptionSettings,
  { config, languages = [] }: Pick<SttStreamOptions, 'config' | 'languages'>,
  hints: readonly string[],
): VendorFields {
  const codes = [config.language, ...languages].map(languageSubtagOf).filter((code) => code !== undefined);
  const known = [...new Set(codes)].filter((code) => code !== 'multi');
  const takesPrompt = !/diarize|^gpt-realtime-whisper/.test(model);
  const common = { ...options, model, ...(delay !== undefined && { delay }) };
  if (takesKeywords(model)) {
    const keywords = fittingKeywords(hints);
    return {
      ...common,
      ...(known.length > 0 && { languages: known }),
      ...(keywords.length > 0 && { keywords }),
      ...(prompt !== undefined && { prompt }),
    };
  }
  const texts = [takesPrompt ? prompt : undefined, promptOf(model, hints).prompt].filter((text) => text !== undefined);
  return {
    ...common,
    // Several languages cannot be sent: without a `language`, the service detects it.
    ...(known.length === 1 && { language: known[0] }),
    ...(texts.length > 0 && { prompt: texts.join(' ') }),
  };
}
