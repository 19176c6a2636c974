import type { JsonObject } from '../../../../data/paths.ts';
import type { NewSample } from './use-samples.ts';

/** Builds the request for a voice sample. The service validates the settings. */
export function sampleOf(config: JsonObject, language: string): NewSample {
  const { fallbacks: _, ...settings } = config;
  const tts_config = settings as NewSample['tts_config'];
  return { tts_config, ...(language !== '' && language !== 'multi' && { language }) };
}
