import { type ByokProvider, xaiRealtimeVoices } from '@va/core';
import { models } from '../shared/options/catalog-entry.ts';

/** Speech-to-speech models of xAI and their voices. */
export const xaiCatalog: ByokProvider = {
  id: 'xai',
  name: 'xAI',
  category: 'realtime',
  docsUrl: 'https://docs.x.ai/docs',
  models: models(
    {
      'grok-voice-latest': 'Grok Voice',
      'grok-voice-think-fast-2.0': 'Grok Voice Think Fast 2.0',
      'grok-voice-think-fast-1.0': 'Grok Voice Think Fast 1.0',
    },
    'grok-voice-latest',
  ),
  voices: xaiRealtimeVoices.map(({ id, name }) => ({ id, name })),
};
