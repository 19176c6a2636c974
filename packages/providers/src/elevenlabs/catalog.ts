import type { ByokProvider } from '@va/core';
import { models, voices } from '../shared/options/catalog-entry.ts';

/** Models and voices of ElevenLabs. These are suggestions: a configuration may name any other. */
export const elevenlabsCatalog: ByokProvider = {
  id: 'elevenlabs',
  name: 'ElevenLabs',
  category: 'tts',
  docsUrl: 'https://elevenlabs.io/docs/overview/models',
  models: models(
    {
      eleven_flash_v2_5: 'Eleven Flash v2.5',
      eleven_flash_v2: 'Eleven Flash v2',
      eleven_turbo_v2_5: 'Eleven Turbo v2.5',
      eleven_multilingual_v2: 'Eleven Multilingual v2',
    },
    'eleven_flash_v2_5',
  ),
  voices: voices({
    '21m00Tcm4TlvDq8ikWAM': 'Rachel',
    EXAVITQu4vr4xnSDxMaL: 'Sarah',
    JBFqnCBsd6RMkjVDRZzb: 'George',
    IKne3meq5aSn9XLyUdCD: 'Charlie',
    Xb7hH8MSUJpSbSDYk0k2: 'Alice',
    nPczCjzI2devNBz1zQrb: 'Brian',
    onwK4e9ZLuTAKqWW03F9: 'Daniel',
    pFZP5JQG7iQjIQuC4Bku: 'Lily',
  }),
};

/** Transcription models of ElevenLabs. These are suggestions: a configuration may name any other. */
export const elevenlabsTranscriptionCatalog: ByokProvider = {
  id: 'elevenlabs',
  name: 'ElevenLabs',
  category: 'stt',
  docsUrl: 'https://elevenlabs.io/docs/overview/models',
  models: models({ scribe_v2_realtime: 'Scribe v2 Realtime' }, 'scribe_v2_realtime'),
  voices: [],
};
