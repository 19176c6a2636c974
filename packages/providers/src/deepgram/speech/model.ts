import type { Voice } from '@va/core';
import type { TextToSpeech, TtsSessionOptions } from '@va/core/adapter';
import { bytesPerMs } from '../../shared/bytes-per-ms.ts';
import { identityOf, type ProviderIdentity } from '../../shared/identity.ts';
import { requireApiKey } from '../../shared/options/api-key.ts';
import { readOptions } from '../../shared/options/options.ts';
import { socketUrl } from '../../shared/options/query.ts';
import { SocketSpeechSession, type SocketSpeechTarget } from '../../shared/speech/session.ts';
import { deepgramSpeechCatalog } from '../catalog.ts';
import { auraProtocol } from './context.ts';
import { speechOptionsSchema } from './options.ts';

const publicUrl = 'wss://api.deepgram.com';
const fallbackVoice = 'aura-2-thalia-en';
const encodings = { pcmu: 'mulaw', pcma: 'alaw', pcm16: 'linear16' } as const;

/** Options of {@link deepgramSpeech}. */
export interface DeepgramSpeechOptions extends ProviderIdentity {
  /** Voices listed by GET /voices. */
  readonly voices?: readonly Voice[];
  /** Default: DEEPGRAM_API_KEY, read when a session is opened. */
  readonly apiKey?: string;
  /** A self-hosted or regional service: `wss://host`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** Voice of agents that name none. Default: `aura-2-thalia-en`. */
  readonly defaultVoiceId?: string;
  /** True excludes texts from the vendor's model improvement program, which changes the price. */
  readonly mipOptOut?: boolean;
  /** Labels of the requests in the vendor's usage reports. */
  readonly tags?: readonly string[];
}

/**
 * Creates the adapter of Deepgram's Aura voices over a WebSocket, in the encoding of the phone. A voice is a model
 * of the service: `tts_config.voiceId`, or `tts_config.model`, is a name such as `aura-2-thalia-en`. The service
 * reports no word times.
 *
 * @see https://developers.deepgram.com/docs/streaming-text-to-speech
 * @example createVoiceAgents({ providers: [deepgram(), deepgramSpeech(), …], … })
 */
export function deepgramSpeech(options: DeepgramSpeechOptions = {}): TextToSpeech {
  const { voices } = options;
  const identity = identityOf(options, { id: 'deepgram', vendor: 'deepgram', catalog: deepgramSpeechCatalog });
  return {
    kind: 'tts',
    ...identity,
    optionsSchema: speechOptionsSchema,
    ...(voices !== undefined && { voices }),
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcma', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 16_000 },
    ],
    open: (session) => new SocketSpeechSession(targetOf(identity.id, options, session), session),
  };
}

function targetOf(id: string, options: DeepgramSpeechOptions, session: TtsSessionOptions): SocketSpeechTarget {
  const { config, format, logger } = session;
  const apiKey = session.apiKey ?? requireApiKey(id, options.apiKey, 'DEEPGRAM_API_KEY');
  const { options: further = {}, speed } = readOptions(speechOptionsSchema, config, id, logger);
  return {
    id,
    url: socketUrl(options.baseUrl ?? publicUrl, '/v1/speak', further, {
      model: config.voiceId ?? config.model ?? options.defaultVoiceId ?? fallbackVoice,
      encoding: encodings[format.encoding],
      sample_rate: format.sampleRateHz,
      ...(speed !== undefined && { speed }),
      mip_opt_out: options.mipOptOut,
      tag: options.tags,
    }),
    apiKey,
    headers: { ...options.headers, authorization: `Token ${apiKey}` },
    bytesPerMs: bytesPerMs(format),
    protocol: auraProtocol,
  };
}
