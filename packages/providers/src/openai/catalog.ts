import type { ByokProvider } from '@va/core';
import { models, voices } from '../shared/options/catalog-entry.ts';

/** Language models of OpenAI. These are suggestions: a configuration may name any other. */
export const openaiCatalog: ByokProvider = {
  id: 'openai',
  name: 'OpenAI',
  category: 'llm',
  docsUrl: 'https://platform.openai.com/docs/models',
  models: models(
    {
      'gpt-4.1-mini': 'GPT-4.1 mini',
      'gpt-4.1': 'GPT-4.1',
      'gpt-4.1-nano': 'GPT-4.1 nano',
      'gpt-4o': 'GPT-4o',
      'gpt-4o-mini': 'GPT-4o mini',
      'gpt-5.4': 'GPT-5.4',
      'gpt-5.4-mini': 'GPT-5.4 mini',
      'gpt-5.4-nano': 'GPT-5.4 nano',
    },
    'gpt-4.1-mini',
  ),
  voices: [],
};

/** Speech-to-speech models of OpenAI and their voices. */
export const openaiRealtimeCatalog: ByokProvider = {
  id: 'openai',
  name: 'OpenAI',
  category: 'realtime',
  docsUrl: 'https://platform.openai.com/docs/guides/realtime',
  models: models({ 'gpt-realtime': 'GPT Realtime', 'gpt-realtime-mini': 'GPT Realtime mini' }, 'gpt-realtime'),
  voices: voices({
    marin: 'Marin',
    cedar: 'Cedar',
    alloy: 'Alloy',
    ash: 'Ash',
    ballad: 'Ballad',
    coral: 'Coral',
    echo: 'Echo',
    sage: 'Sage',
    shimmer: 'Shimmer',
    verse: 'Verse',
  }),
};

/** Speech recognition models of OpenAI. */
export const openaiTranscriptionCatalog: ByokProvider = {
  id: 'openai',
  name: 'OpenAI',
  category: 'stt',
  docsUrl: 'https://platform.openai.com/docs/guides/speech-to-text',
  models: models(
    {
      'gpt-4o-mini-transcribe': 'GPT-4o mini Transcribe',
      'gpt-4o-transcribe': 'GPT-4o Transcribe',
      'whisper-1': 'Whisper',
      'gpt-live-transcribe': 'GPT Live Transcribe (realtime)',
      'gpt-realtime-whisper': 'GPT Realtime Whisper (realtime)',
    },
    'gpt-4o-mini-transcribe',
  ),
  voices: [],
};

/** Speech synthesis models of OpenAI and their voices. */
export const openaiSpeechCatalog: ByokProvider = {
  id: 'openai',
  name: 'OpenAI',
  category: 'tts',
  docsUrl: 'https://platform.openai.com/docs/guides/text-to-speech',
  models: models({ 'gpt-4o-mini-tts': 'GPT-4o mini TTS', 'tts-1': 'TTS-1', 'tts-1-hd': 'TTS-1 HD' }, 'gpt-4o-mini-tts'),
  voices: voices({
    alloy: 'Alloy',
    ash: 'Ash',
    ballad: 'Ballad',
    cedar: 'Cedar',
    coral: 'Coral',
    echo: 'Echo',
    fable: 'Fable',
    marin: 'Marin',
    nova: 'Nova',
    onyx: 'Onyx',
    sage: 'Sage',
    shimmer: 'Shimmer',
    verse: 'Verse',
  }),
};
