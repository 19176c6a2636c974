import type { ByokProvider } from '../accounts/byok.ts';
import { xaiRealtimeVoices } from './voice.ts';

function models(ids: Readonly<Record<string, string>>, defaultId: string): ByokProvider['models'] {
  return Object.entries(ids).map(([id, name]) => ({ id, name, default: id === defaultId }));
}

function voices(ids: Readonly<Record<string, string>>): ByokProvider['voices'] {
  return Object.entries(ids).map(([id, name]) => ({ id, name }));
}

/**
 * Vendors with adapters in @va/providers, one entry per use; all uses of an id share one key. Models and voices are
 * suggestions: a configuration may name any other.
 */
export const knownProviders: readonly ByokProvider[] = [
  {
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
  },
  {
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
  },
  {
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
  },
  {
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
  },
  {
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
  },
];

/** Returns the known vendors and those of the host's providers, which replace known ones with the same id. */
export function byokCatalog(brought: readonly ByokProvider[]): readonly ByokProvider[] {
  const vendors = new Map([...byVendor(knownProviders), ...byVendor(brought)]);
  return [...vendors.values()].flatMap((entries) => merged(entries));
}

/** Merges the uses of a vendor, which share a key. The first use determines category and default model. */
function merged(entries: readonly ByokProvider[]): ByokProvider[] {
  const [first, ...others] = entries;
  if (first === undefined) return [];
  const models = others.flatMap((entry) => entry.models.map((model) => ({ ...model, default: false })));
  return [
    {
      ...first,
      models: [...first.models, ...models],
      voices: [...first.voices, ...others.flatMap(({ voices }) => voices)],
    },
  ];
}

/** Keeps the last entry per use of an id. */
function byVendor(entries: readonly ByokProvider[]): Map<string, readonly ByokProvider[]> {
  const vendors = new Map<string, readonly ByokProvider[]>();
  for (const entry of entries) {
    const others = (vendors.get(entry.id) ?? []).filter(({ category }) => category !== entry.category);
    vendors.set(entry.id, [...others, entry]);
  }
  return vendors;
}
