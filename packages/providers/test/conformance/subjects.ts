import { assemblyai } from '@va/providers/assemblyai';
import { cartesia, cartesiaTranscription } from '@va/providers/cartesia';
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
import {
  type AssemblyAiFault,
  AssemblyAiServer,
  type CartesiaFault,
  CartesiaServer,
  type DeepgramFault,
  DeepgramServer,
  type ElevenLabsFault,
  ElevenLabsServer,
  type GeminiFault,
  GeminiServer,
  type InkFault,
  InkServer,
  type OpenAiFault,
  OpenAiServer,
  type OpenAiSpeechFault,
  OpenAiSpeechServer,
  type RealtimeDialectName,
  type RealtimeFault,
  RealtimeServer,
  type ScribeFault,
  ScribeServer,
  type TranscriptionFault,
  TranscriptionServer,
} from '@va/testkit/provider-servers';
import type { ProviderConformanceOptions, Trouble } from '@va/testkit/providers';

const hostOf = (url: string) => new URL(url).host;
const apiKey = 'key';
/** Enough for every connection of a test. */
const times = 40;

function deepgramSubject(name: string, config: Readonly<Record<string, unknown>>): ProviderConformanceOptions {
  return {
    name,
    kind: 'stt',
    troubles: ['refusal', 'unavailable', 'garbage'],
    async open() {
      const server = await DeepgramServer.start({ turns: Array(times).fill('a table for two') });
      const faults: Faults<DeepgramFault> = {
        refusal: { status: 401 },
        unavailable: { status: 503 },
        garbage: 'garbage',
      };
      return {
        host: hostOf(server.url),
        provider: (host) => deepgram({ apiKey, baseUrl: `ws://${host}` }),
        config,
        trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
        close: () => server.close(),
      };
    },
  };
}

function realtimeSubject(dialect: RealtimeDialectName): ProviderConformanceOptions {
  const factory = dialect === 'openai' ? openaiRealtime : xaiRealtime;
  return {
    name: `${dialect} realtime`,
    kind: 'realtime',
    troubles: ['refusal', 'unavailable', 'garbage', 'empty', 'odd-bytes'],
    async open() {
      const replies = Array(times).fill({ text: 'Good morning, what can I do for you?' });
      const server = await RealtimeServer.start({ dialect, replies });
      const faults: Faults<RealtimeFault> = {
        refusal: { status: 401 },
        unavailable: { status: 503 },
        garbage: 'garbage',
        empty: 'mute',
        'odd-bytes': 'odd-audio',
      };
      return {
        host: hostOf(server.url),
        provider: (host) => factory({ apiKey, baseUrl: `ws://${host}/v1` }),
        trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
        close: () => server.close(),
      };
    },
  };
}

export const elevenLabsSubject: ProviderConformanceOptions = {
  name: 'elevenlabs',
  kind: 'tts',
  troubles: ['refusal', 'unavailable', 'garbage', 'empty'],
  async open() {
    const server = await ElevenLabsServer.start();
    const faults: Faults<ElevenLabsFault> = {
      refusal: { status: 401 },
      unavailable: { status: 503 },
      garbage: 'garbage',
      empty: 'mute',
    };
    return {
      host: hostOf(server.url),
      provider: (host) => elevenlabs({ apiKey, baseUrl: `ws://${host}` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
      close: () => server.close(),
    };
  },
};

const cartesiaSubject: ProviderConformanceOptions = {
  name: 'cartesia',
  kind: 'tts',
  troubles: ['refusal', 'unavailable', 'garbage', 'empty'],
  async open() {
    const server = await CartesiaServer.start();
    const faults: Faults<CartesiaFault> = {
      refusal: { status: 401 },
      unavailable: { status: 503 },
      garbage: 'garbage',
      empty: 'mute',
    };
    return {
      host: hostOf(server.url),
      provider: (host) => cartesia({ apiKey, baseUrl: `ws://${host}` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
      close: () => server.close(),
    };
  },
};

const inkSubject: ProviderConformanceOptions = {
  name: 'cartesia transcription',
  kind: 'stt',
  troubles: ['refusal', 'unavailable', 'garbage'],
  async open() {
    const server = await InkServer.start(Array(times).fill('a table for two'));
    const faults: Faults<InkFault> = { refusal: { status: 401 }, unavailable: { status: 503 }, garbage: 'garbage' };
    return {
      host: hostOf(server.url),
      provider: (host) => cartesiaTranscription({ apiKey, baseUrl: `ws://${host}` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
      close: () => server.close(),
    };
  },
};

const auraSubject: ProviderConformanceOptions = {
  name: 'deepgram speech',
  kind: 'tts',
  troubles: ['refusal', 'unavailable', 'garbage', 'empty'],
  async open() {
    const server = await DeepgramServer.start();
    const faults: Faults<DeepgramFault> = {
      refusal: { status: 401 },
      unavailable: { status: 503 },
      garbage: 'garbage',
      empty: 'mute',
    };
    return {
      host: hostOf(server.url),
      provider: (host) => deepgramSpeech({ apiKey, baseUrl: `ws://${host}` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
      close: () => server.close(),
    };
  },
};

function assemblyAiSubject(name: string, config: Readonly<Record<string, unknown>>): ProviderConformanceOptions {
  return {
    name,
    kind: 'stt',
    troubles: ['refusal', 'unavailable', 'garbage'],
    async open() {
      const server = await AssemblyAiServer.start({ turns: Array(times).fill('a table for two') });
      const faults: Faults<AssemblyAiFault> = {
        refusal: { error: 1008 },
        unavailable: { error: 3009 },
        garbage: 'garbage',
      };
      return {
        host: hostOf(server.url),
        provider: (host) => assemblyai({ apiKey, baseUrl: `ws://${host}` }),
        config,
        trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
        close: () => server.close(),
      };
    },
  };
}

const scribeSubject: ProviderConformanceOptions = {
  name: 'elevenlabs transcription',
  kind: 'stt',
  troubles: ['refusal', 'unavailable', 'garbage'],
  async open() {
    const server = await ScribeServer.start(Array(times).fill('a table for two'));
    const faults: Faults<ScribeFault> = {
      refusal: { error: 'auth_error' },
      unavailable: { error: 'resource_exhausted' },
      garbage: 'garbage',
    };
    return {
      host: hostOf(server.url),
      provider: (host) => elevenlabsTranscription({ apiKey, baseUrl: `ws://${host}` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
      close: () => server.close(),
    };
  },
};

export const openAiSubject: ProviderConformanceOptions = {
  name: 'openai',
  kind: 'llm',
  troubles: ['refusal', 'unavailable', 'garbage'],
  async open() {
    const server = await OpenAiServer.start();
    server.reply(...Array(times).fill({ text: 'Good morning, what can I do for you?' }));
    const faults: Faults<OpenAiFault> = { refusal: { status: 401 }, unavailable: { status: 503 }, garbage: 'garbage' };
    return {
      host: hostOf(server.url),
      provider: (host) => openai({ apiKey, baseURL: `http://${host}/v1` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
      close: () => server.close(),
    };
  },
};

const speechFaults: Faults<OpenAiSpeechFault> = {
  refusal: { status: 401 },
  unavailable: { status: 503 },
  garbage: 'garbage',
  empty: 'empty',
  'odd-bytes': 'odd-bytes',
};

const openAiSpeechSubject: ProviderConformanceOptions = {
  name: 'openai speech',
  kind: 'tts',
  troubles: ['refusal', 'unavailable', 'empty', 'odd-bytes'],
  async open() {
    const server = await OpenAiSpeechServer.start();
    return {
      host: hostOf(server.url),
      provider: (host) => openaiSpeech({ apiKey, baseURL: `http://${host}/v1` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(speechFaults, each))),
      close: () => server.close(),
    };
  },
};

const openAiTranscriptionSubject: ProviderConformanceOptions = {
  name: 'openai transcription',
  kind: 'stt',
  isPerUtterance: true,
  troubles: ['refusal', 'unavailable', 'garbage'],
  async open() {
    const server = await OpenAiSpeechServer.start({ transcripts: Array(times).fill('a table for two') });
    return {
      host: hostOf(server.url),
      provider: (host) => openaiTranscription({ apiKey, baseURL: `http://${host}/v1` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(speechFaults, each))),
      close: () => server.close(),
    };
  },
};

const openAiRealtimeTranscriptionSubject: ProviderConformanceOptions = {
  name: 'openai realtime transcription',
  kind: 'stt',
  troubles: ['refusal', 'unavailable', 'garbage'],
  async open() {
    const server = await TranscriptionServer.start(Array(times).fill('a table for two'));
    const faults: Faults<TranscriptionFault> = {
      refusal: { status: 401 },
      unavailable: { status: 503 },
      garbage: 'garbage',
    };
    return {
      host: hostOf(server.url),
      provider: (host) => openaiRealtimeTranscription({ apiKey, baseURL: `ws://${host}/v1` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
      close: () => server.close(),
    };
  },
};

const geminiSubject: ProviderConformanceOptions = {
  name: 'gemini live',
  kind: 'realtime',
  troubles: ['refusal', 'unavailable', 'garbage', 'empty', 'odd-bytes'],
  async open() {
    const replies = Array(times).fill({ text: 'Good morning, what can I do for you?' });
    const server = await GeminiServer.start({ replies });
    const faults: Faults<GeminiFault> = {
      refusal: { closeCode: 1007, reason: 'API key not valid. Please pass a valid API key.' },
      unavailable: { closeCode: 1011, reason: 'Internal error encountered.' },
      garbage: 'garbage',
      empty: 'mute',
      'odd-bytes': 'odd-audio',
    };
    return {
      host: hostOf(server.url),
      provider: (host) => geminiLive({ apiKey, baseUrl: `ws://${host}` }),
      trouble: (...troubles) => server.failNext(...troubles.map((each) => faultOf(faults, each))),
      close: () => server.close(),
    };
  },
};

type Faults<Fault> = Partial<Record<Trouble, Fault>>;

function faultOf<Fault>(faults: Faults<Fault>, trouble: Trouble): Fault {
  const fault = faults[trouble];
  if (fault === undefined) throw new Error(`the server cannot make ${trouble}`);
  return fault;
}

export const xaiSubject: ProviderConformanceOptions = realtimeSubject('xai');

export const subjects: readonly ProviderConformanceOptions[] = [
  deepgramSubject('deepgram', {}),
  deepgramSubject('deepgram flux', { model: 'flux-general-en' }),
  openAiSubject,
  elevenLabsSubject,
  cartesiaSubject,
  inkSubject,
  auraSubject,
  scribeSubject,
  assemblyAiSubject('assemblyai', {}),
  assemblyAiSubject('assemblyai pipeline', { turn_detection: 'pipeline' }),
  openAiSpeechSubject,
  openAiTranscriptionSubject,
  openAiRealtimeTranscriptionSubject,
  geminiSubject,
  realtimeSubject('openai'),
  xaiSubject,
];
