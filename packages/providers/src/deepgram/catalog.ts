import type { ByokProvider } from '@va/core';
import { models, voices } from '../shared/options/catalog-entry.ts';

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

/** The service has a model for each voice. */
const auraVoices = {
  'aura-2-thalia-en': 'Thalia',
  'aura-2-andromeda-en': 'Andromeda',
  'aura-2-apollo-en': 'Apollo',
  'aura-2-arcas-en': 'Arcas',
  'aura-2-aries-en': 'Aries',
  'aura-2-asteria-en': 'Asteria',
  'aura-2-athena-en': 'Athena',
  'aura-2-helena-en': 'Helena',
  'aura-2-hermes-en': 'Hermes',
  'aura-2-luna-en': 'Luna',
  'aura-2-orion-en': 'Orion',
  'aura-2-zeus-en': 'Zeus',
  'aura-2-beatrix-nl': 'Beatrix',
  'aura-2-viktoria-de': 'Viktoria',
  'aura-2-agathe-fr': 'Agathe',
  'aura-2-celeste-es': 'Celeste',
};

/** Voices of Deepgram. These are suggestions: a configuration may name any other. */
export const deepgramSpeechCatalog: ByokProvider = {
  id: 'deepgram',
  name: 'Deepgram',
  category: 'tts',
  docsUrl: 'https://developers.deepgram.com/docs/tts-models',
  models: models(auraVoices, 'aura-2-thalia-en'),
  voices: voices(auraVoices),
};
