import type { ByokProvider } from '@va/core';
import { models, voices } from '../shared/options/catalog-entry.ts';

/** Models and voices of Cartesia. These are suggestions: a configuration may name any other. */
export const cartesiaCatalog: ByokProvider = {
  id: 'cartesia',
  name: 'Cartesia',
  category: 'tts',
  docsUrl: 'https://docs.cartesia.ai/build-with-cartesia/tts-models/latest',
  models: models({ 'sonic-3.5': 'Sonic 3.5', 'sonic-3': 'Sonic 3', 'sonic-latest': 'Sonic (latest)' }, 'sonic-3.5'),
  voices: voices({
    'f786b574-daa5-4673-aa0c-cbe3e8534c02': 'Katie',
    '9626c31c-bec5-4cca-baa8-f8ba9e84c8bc': 'Jacqueline',
  }),
};

/** Speech recognition models of Cartesia. */
export const cartesiaTranscriptionCatalog: ByokProvider = {
  id: 'cartesia',
  name: 'Cartesia',
  category: 'stt',
  docsUrl: 'https://docs.cartesia.ai/build-with-cartesia/stt-models/latest',
  models: models({ 'ink-2': 'Ink 2', 'ink-whisper': 'Ink Whisper' }, 'ink-2'),
  voices: [],
};
