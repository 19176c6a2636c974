import type { ByokProvider } from '@va/core';
import { models } from '../shared/options/catalog-entry.ts';

/** Models of AssemblyAI. These are suggestions: a configuration may name any other. */
export const assemblyaiCatalog: ByokProvider = {
  id: 'assemblyai',
  name: 'AssemblyAI',
  category: 'stt',
  docsUrl: 'https://www.assemblyai.com/docs/api-reference/streaming-api/universal-streaming',
  models: models(
    {
      'universal-streaming-english': 'Universal Streaming English',
      'universal-streaming-multilingual': 'Universal Streaming Multilingual',
      'universal-3-5-pro': 'Universal 3.5 Pro',
      'u3-rt-pro': 'Universal 3 Pro',
    },
    'universal-streaming-english',
  ),
  voices: [],
};
