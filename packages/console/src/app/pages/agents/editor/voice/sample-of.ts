import type { Fields } from '../../../../data/paths.ts';
import type { NewSample } from './use-samples.ts';

/** The service checks the settings, and names those at fault. */
export function sampleOf(config: Fields, language: string): NewSample {
  const { fallbacks: _, ...settings } = config;
  const tts_config = settings as NewSample['tts_config'];
  return { tts_config, ...(language !== '' && language !== 'multi' && { language }) };
}
