import type { ByokProvider } from '../../src/domain/accounts/byok.ts';

function entry(id: string, name: string, category: ByokProvider['category'], voices: readonly string[]): ByokProvider {
  return {
    id,
    name,
    category,
    docsUrl: `https://docs.example/${id}`,
    models: [
      { id: `${id}-${category}`, name: `${name} ${category}`, default: true },
      { id: `${id}-${category}-mini`, name: `${name} ${category} mini`, default: false },
    ],
    voices: voices.map((voice) => ({ id: voice, name: voice })),
  };
}

/** Entries as of the adapters of @va/providers: four vendors, one of them with two uses. */
export const vendorCatalog: readonly ByokProvider[] = [
  entry('deepgram', 'Deepgram', 'stt', []),
  entry('openai', 'OpenAI', 'llm', []),
  entry('openai', 'OpenAI', 'realtime', ['marin']),
  entry('elevenlabs', 'ElevenLabs', 'tts', ['rachel']),
  entry('xai', 'xAI', 'realtime', ['ara']),
];
