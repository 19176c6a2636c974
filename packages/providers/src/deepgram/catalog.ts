import type { ByokProvider } from '@va/core';
import { models } from '../shared/catalog-entry.ts';

/** Models of Deepgram. Models are suggestions: a configuration may name any other. */
export const deepgramCatalog: ByokProvider = {
  id: 'deepgram',
  name: 'Deepgram',
  category: 'stt',
  docsUrl: 'https://developers.deepgram.com/docs/models-languages-overview',
  models: models(
    {
      'nova-3': 'Nova-3',
      'nova-3-medical': 'Nova-3 Medical',
      'nova-2': 'Nova-2',
      'nova-2-phonecall': 'Nova-2 Phonecall',
    },
    'nova-3',
  ),
  voices: [],
};
