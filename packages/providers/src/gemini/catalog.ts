import type { ByokProvider } from '@va/core';
import { models, voices } from '../shared/options/catalog-entry.ts';

/** Speech-to-speech models of Google and some of their voices. A configuration may name any other. */
export const geminiCatalog: ByokProvider = {
  id: 'gemini',
  name: 'Google Gemini',
  category: 'realtime',
  docsUrl: 'https://ai.google.dev/gemini-api/docs/live',
  models: models(
    {
      'gemini-2.5-flash-native-audio-preview-12-2025': 'Gemini 2.5 Flash Native Audio',
      'gemini-3.1-flash-live-preview': 'Gemini 3.1 Flash Live',
    },
    'gemini-2.5-flash-native-audio-preview-12-2025',
  ),
  voices: voices({ Puck: 'Puck', Charon: 'Charon', Kore: 'Kore', Fenrir: 'Fenrir', Aoede: 'Aoede' }),
};
