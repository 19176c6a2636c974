import type { SpeechToText } from '@va/core/adapter';
import { g711Silence } from '@va/media';
import { bytesPerMs } from '../../shared/bytes-per-ms.ts';
import { identityOf, type ProviderIdentity } from '../../shared/identity.ts';
import { requireApiKey } from '../../shared/options/api-key.ts';
import { languageSubtagOf, pick, readOptions } from '../../shared/options/options.ts';
import { socketUrl } from '../../shared/options/query.ts';
import { RecognitionStream } from '../../shared/recognition/stream.ts';
import { formatName, formats } from '../audio-formats.ts';
import { elevenlabsTranscriptionCatalog } from '../catalog.ts';
import { CommitRecognizer } from './commit-recognizer.ts';
import { transcriptionOptionsSchema } from './options.ts';

const publicUrl = 'wss://api.elevenlabs.io';
const fallbackModel = 'scribe_v2_realtime';
/** Audio in one message: a message of JSON for each 20 ms frame would be wasteful. */
const chunkMs = 60;

/** Options of {@link elevenlabsTranscription}. */
export interface ElevenLabsTranscriptionOptions extends ProviderIdentity {
  /** Default: ELEVENLABS_API_KEY, read when a stream is opened. */
  readonly apiKey?: string;
  /** A regional service: `wss://host` or `https://host`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** Model of agents without `stt_config.model`. Default: `scribe_v2_realtime`. */
  readonly defaultModel?: string;
  /** False enables the vendor's zero retention mode, which requires an enterprise plan. */
  readonly enableLogging?: boolean;
}

/**
 * Creates the adapter of ElevenLabs' Scribe over a WebSocket. The audio is committed when the pipeline ends a turn.
 * `stt_config.keyterms` are passed on as key terms when a connection is opened.
 *
 * @see https://elevenlabs.io/docs/api-reference/speech-to-text/v-1-speech-to-text-realtime
 * @example createVoiceAgents({ providers: [elevenlabs(), elevenlabsTranscription(), …], … })
 */
export function elevenlabsTranscription(options: ElevenLabsTranscriptionOptions = {}): SpeechToText {
  const catalog = elevenlabsTranscriptionCatalog;
  const identity = identityOf(options, { id: 'elevenlabs', vendor: 'elevenlabs', catalog });
  const { id } = identity;
  return {
    kind: 'stt',
    ...identity,
    optionsSchema: transcriptionOptionsSchema,
    formats,
    open(stream) {
      const { config, format, hints, languages, logger } = stream;
      const apiKey = stream.apiKey ?? requireApiKey(id, options.apiKey, 'ELEVENLABS_API_KEY');
      const settings = readOptions(transcriptionOptionsSchema, config, id, logger);
      const own = pick(settings, ['no_verbatim', 'secondary_languages', 'filter_background_audio']);
      const detectsLanguage = languages !== undefined;
      const codes = (languages ?? [config.language]).map(languageSubtagOf).filter((code) => code !== undefined);
      const [language, ...others] = [...new Set(codes)].filter((code) => code !== 'multi');
      const several = detectsLanguage ? { secondary_languages: others, include_language_detection: true } : {};
      const isPcm16 = format.encoding === 'pcm16';
      const urlOf = (keyterms: readonly string[]): string =>
        socketUrl(options.baseUrl ?? publicUrl, '/v1/speech-to-text/realtime', settings.options ?? {}, several, own, {
          model_id: config.model ?? options.defaultModel ?? fallbackModel,
          audio_format: formatName(format),
          commit_strategy: 'manual',
          // Without a language the service detects it.
          ...(language !== undefined && { language_code: language }),
          keyterms,
          enable_logging: options.enableLogging,
        });
      const target = {
        id,
        apiKey,
        headers: { ...options.headers, 'xi-api-key': apiKey },
        audio: { chunkBytes: chunkMs * bytesPerMs(format), padding: isPcm16 ? 0 : g711Silence.pcmu },
      };
      return new RecognitionStream(
        target,
        stream,
        (host) => new CommitRecognizer(host, { sampleRateHz: format.sampleRateHz, hints, detectsLanguage, urlOf }),
      );
    },
  };
}
