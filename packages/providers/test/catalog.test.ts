import { assemblyai } from '@va/providers/assemblyai';
import { cartesia, cartesiaTranscription } from '@va/providers/cartesia';
import { vendorCatalog } from '@va/providers/catalog';
import { deepgram, deepgramSpeech } from '@va/providers/deepgram';
import { elevenlabs, elevenlabsTranscription } from '@va/providers/elevenlabs';
import { geminiLive } from '@va/providers/gemini';
import {
  openai,
  openaiRealtime,
  openaiRealtimeTranscription,
  openaiSpeech,
  openaiTranscription,
} from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';
import { describe, expect, it } from 'vitest';

describe('vendorCatalog', () => {
  it('has an entry with one default model for each use of a vendor', () => {
    expect(vendorCatalog.map(({ id, category }) => `${id} ${category}`)).toEqual([
      'deepgram stt',
      'openai llm',
      'openai realtime',
      'openai stt',
      'openai tts',
      'elevenlabs tts',
      'xai realtime',
      'cartesia tts',
      'deepgram tts',
      'assemblyai stt',
      'elevenlabs stt',
      'gemini realtime',
      'cartesia stt',
    ]);
    for (const { models, docsUrl } of vendorCatalog) {
      expect(models.filter((model) => model.default)).toHaveLength(1);
      expect(new URL(docsUrl).protocol).toBe('https:');
    }
  });
});

describe('the catalog entry of an adapter', () => {
  it('is the vendor’s', () => {
    const adapters = [
      deepgram(),
      openai(),
      openaiRealtime(),
      openaiTranscription(),
      openaiSpeech(),
      elevenlabs(),
      xaiRealtime(),
      cartesia(),
      deepgramSpeech(),
      assemblyai(),
      elevenlabsTranscription(),
      geminiLive(),
      cartesiaTranscription(),
    ];
    expect(adapters.map(({ catalog }) => catalog)).toEqual(vendorCatalog);
    // One vendor has one entry for a use.
    expect(openaiRealtimeTranscription().catalog).toBe(openaiTranscription().catalog);
  });

  it('is kept under another id only if the vendor is the same', () => {
    expect(deepgram({ id: 'deepgram_eu', vendor: 'deepgram' }).catalog?.id).toBe('deepgram');
    expect(deepgram({ id: 'acme' })).not.toHaveProperty('catalog');
    expect(openai({ id: 'acme' }).catalog).toBeUndefined();
  });

  it('can be replaced by the host', () => {
    const catalog = {
      id: 'acme',
      name: 'Acme',
      category: 'llm',
      docsUrl: 'https://acme.example',
      models: [],
      voices: [],
    };
    expect(openai({ id: 'acme', catalog }).catalog).toBe(catalog);
  });
});
