import type { Voice } from '@va/core';
import type { TextToSpeech, TtsSessionOptions } from '@va/core/adapter';
import { bytesPerMs } from '../shared/bytes-per-ms.ts';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { requireApiKey } from '../shared/options/api-key.ts';
import { languageSubtagOf, readOptions } from '../shared/options/options.ts';
import { socketUrl } from '../shared/options/query.ts';
import { SocketSpeechSession, type SocketSpeechTarget } from '../shared/speech/session.ts';
import { apiVersion } from './api-version.ts';
import { cartesiaCatalog } from './catalog.ts';
import { cartesiaProtocol } from './context.ts';
import { optionsSchema } from './options.ts';

export { type CartesiaTranscriptionOptions, cartesiaTranscription } from './transcription/model.ts';

const publicUrl = 'wss://api.cartesia.ai';
const fallbackModel = 'sonic-3.5';
/** "Katie", one of the service's voices. */
const fallbackVoice = 'f786b574-daa5-4673-aa0c-cbe3e8534c02';
const encodings = { pcmu: 'pcm_mulaw', pcma: 'pcm_alaw', pcm16: 'pcm_s16le' } as const;

/** Options of {@link cartesia}. */
export interface CartesiaOptions extends ProviderIdentity {
  /** Voices listed by GET /voices. */
  readonly voices?: readonly Voice[];
  /** Default: CARTESIA_API_KEY, read when a session is opened. */
  readonly apiKey?: string;
  /** Another server of the same protocol: `wss://host`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** Voice of agents without `tts_config.voiceId`. */
  readonly defaultVoiceId?: string;
  /** Model of agents without `tts_config.model`. Default: `sonic-3.5`. */
  readonly defaultModel?: string;
}

/**
 * Creates the adapter of Cartesia's speech over a WebSocket: one connection per call, one context per utterance, in the
 * encoding of the phone. `tts_config` accepts `voiceId`, `model`, `language` and the settings of `optionsSchema`,
 * such as `generation_config`.
 *
 * @see https://docs.cartesia.ai/api-reference/tts/websocket
 * @example createVoiceAgents({ providers: [cartesia({ apiKey: process.env.CARTESIA_API_KEY }), …], … })
 */
export function cartesia(options: CartesiaOptions = {}): TextToSpeech {
  const { voices } = options;
  const identity = identityOf(options, { id: 'cartesia', vendor: 'cartesia', catalog: cartesiaCatalog });
  return {
    kind: 'tts',
    ...identity,
    optionsSchema,
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

function targetOf(id: string, options: CartesiaOptions, session: TtsSessionOptions): SocketSpeechTarget {
  const { config, format, logger } = session;
  const apiKey = session.apiKey ?? requireApiKey(id, options.apiKey, 'CARTESIA_API_KEY');
  const { options: further, max_buffer_delay_ms = 0, ...settings } = readOptions(optionsSchema, config, id, logger);
  const language = languageSubtagOf(config.language ?? session.language);
  return {
    id,
    url: socketUrl(options.baseUrl ?? publicUrl, '/tts/websocket'),
    apiKey,
    headers: { ...options.headers, authorization: `Bearer ${apiKey}`, 'cartesia-version': apiVersion },
    bytesPerMs: bytesPerMs(format),
    protocol: cartesiaProtocol({
      ...further,
      ...settings,
      max_buffer_delay_ms,
      model_id: config.model ?? options.defaultModel ?? fallbackModel,
      voice: { mode: 'id', id: config.voiceId ?? options.defaultVoiceId ?? fallbackVoice },
      output_format: { container: 'raw', encoding: encodings[format.encoding], sample_rate: format.sampleRateHz },
      add_timestamps: true,
      // The service detects no language, and rejects the tag `multi`.
      ...(language !== undefined && language !== 'multi' && { language }),
    }),
  };
}
