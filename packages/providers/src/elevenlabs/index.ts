import { ProviderError, type Voice } from '@va/core';
import type { TextToSpeech, TtsSessionOptions } from '@va/core/adapter';
import { bytesPerMs } from '../shared/bytes-per-ms.ts';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { requireApiKey } from '../shared/options/api-key.ts';
import { languageSubtagOf, pick, readOptions } from '../shared/options/options.ts';
import { socketUrl } from '../shared/options/query.ts';
import { SocketSpeechSession, type SocketSpeechTarget } from '../shared/speech/session.ts';
import { formatName, formats } from './audio-formats.ts';
import { elevenlabsCatalog } from './catalog.ts';
import { languageCodeFor, optionsSchema } from './options.ts';
import { elevenLabsProtocol, inactivityTimeoutSeconds } from './protocol.ts';

export { type ElevenLabsTranscriptionOptions, elevenlabsTranscription } from './transcription/model.ts';

const publicUrl = 'wss://api.elevenlabs.io';
const fallbackModel = 'eleven_flash_v2_5';
/** "Rachel", one of the service's premade voices. */
const fallbackVoice = '21m00Tcm4TlvDq8ikWAM';

/** Options of {@link elevenlabs}. */
export interface ElevenLabsOptions extends ProviderIdentity {
  /** Voices listed by GET /voices. */
  readonly voices?: readonly Voice[];
  /** Default: ELEVENLABS_API_KEY, read when a session is opened. */
  readonly apiKey?: string;
  /** A regional service: `wss://host` or `https://host`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** Voice of agents without `tts_config.voiceId`. */
  readonly defaultVoiceId?: string;
  /** Model of agents without `tts_config.model`. */
  readonly defaultModel?: string;
  /** False enables the vendor's zero retention mode, which requires an enterprise plan. */
  readonly enableLogging?: boolean;
}

/**
 * Creates the adapter of ElevenLabs' speech over its WebSocket for several contexts: one connection per call, one
 * context per utterance. `tts_config` accepts `voiceId`, `model`, `language` and the settings of `optionsSchema`, such
 * as `voice_settings`.
 *
 * @example createVoiceAgents({ providers: [elevenlabs({ apiKey: process.env.ELEVENLABS_API_KEY }), …], … })
 */
export function elevenlabs(options: ElevenLabsOptions = {}): TextToSpeech {
  const { voices } = options;
  const identity = identityOf(options, { id: 'elevenlabs', vendor: 'elevenlabs', catalog: elevenlabsCatalog });
  return {
    kind: 'tts',
    ...identity,
    optionsSchema,
    defaultModel: options.defaultModel ?? fallbackModel,
    ...(voices !== undefined && { voices }),
    formats,
    open: (session) => new SocketSpeechSession(targetOf(identity.id, options, session), session),
  };
}

function targetOf(id: string, options: ElevenLabsOptions, session: TtsSessionOptions): SocketSpeechTarget {
  const { config, format, logger } = session;
  const apiKey = session.apiKey ?? requireApiKey(id, options.apiKey, 'ELEVENLABS_API_KEY');
  const model = config.model ?? options.defaultModel ?? fallbackModel;
  if (model.startsWith('eleven_v3')) {
    throw new ProviderError(id, 'invalid_request', `${model} is not available over WebSockets; use ${fallbackModel}.`);
  }
  const settings = readOptions(optionsSchema, config, id, logger);
  const language = languageCodeFor(model, languageSubtagOf(config.language ?? session.language));
  const voice = encodeURIComponent(config.voiceId ?? options.defaultVoiceId ?? fallbackVoice);
  const own = pick(settings, ['apply_text_normalization', 'enable_ssml_parsing', 'seed']);
  const url = socketUrl(
    options.baseUrl ?? publicUrl,
    `/v1/text-to-speech/${voice}/multi-stream-input`,
    settings.options ?? {},
    {
      model_id: model,
      output_format: formatName(format),
      auto_mode: true,
      sync_alignment: true,
      inactivity_timeout: inactivityTimeoutSeconds,
      ...(language !== undefined && { language_code: language }),
      ...own,
      ...(options.enableLogging !== undefined && { enable_logging: options.enableLogging }),
    },
  );
  const contextSettings = pick(settings, ['voice_settings', 'pronunciation_dictionary_locators']);
  return {
    id,
    url,
    apiKey,
    headers: { ...options.headers, 'xi-api-key': apiKey },
    bytesPerMs: bytesPerMs(format),
    protocol: elevenLabsProtocol(contextSettings),
  };
}
