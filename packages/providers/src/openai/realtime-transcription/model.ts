import type { SpeechToText } from '@va/core/adapter';
import { g711Silence } from '@va/media';
import { formatOf } from '../../realtime/dialect.ts';
import { identityOf, type ProviderIdentity } from '../../shared/identity.ts';
import { requireApiKey } from '../../shared/options/api-key.ts';
import { readOptions } from '../../shared/options/options.ts';
import { RecognitionStream } from '../../shared/recognition/stream.ts';
import { openaiTranscriptionCatalog } from '../catalog.ts';
import { realtimeTranscriptionOptions, transcriptionOf } from './options.ts';
import { RealtimeRecognizer } from './recognizer.ts';

const publicUrl = 'https://api.openai.com/v1';
const fallbackModel = 'gpt-live-transcribe';
/** Audio in one message: a message of JSON for each 20 ms frame would be wasteful. */
const chunkMs = 60;

/** Options of {@link openaiRealtimeTranscription}. */
export interface OpenAiRealtimeTranscriptionOptions extends ProviderIdentity {
  /** Default: OPENAI_API_KEY, read when a stream is opened. */
  readonly apiKey?: string;
  /** Another server of the same protocol, up to `/realtime`: `wss://host/v1` or `https://host/v1`. */
  readonly baseURL?: string;
  readonly headers?: Record<string, string>;
  /** Model of agents without `stt_config.model`. Default: `gpt-live-transcribe`. */
  readonly defaultModel?: string;
}

/**
 * Creates the adapter of OpenAI's transcription over a WebSocket, with partial transcripts. The audio is committed when
 * the pipeline ends a turn.
 *
 * @see https://platform.openai.com/docs/guides/realtime-transcription
 * @example createVoiceAgents({ providers: [openai(), openaiRealtimeTranscription(), …], … }); // an agent: {
 *   stt_config: { provider: 'openai_realtime', language: 'nl' } }
 */
export function openaiRealtimeTranscription(options: OpenAiRealtimeTranscriptionOptions = {}): SpeechToText {
  const catalog = openaiTranscriptionCatalog;
  const identity = identityOf(options, { id: 'openai_realtime', vendor: 'openai', catalog });
  const { id } = identity;
  return {
    kind: 'stt',
    ...identity,
    optionsSchema: realtimeTranscriptionOptions,
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcma', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 24_000 },
    ],
    open(stream) {
      const { config, format, hints, logger } = stream;
      const apiKey = stream.apiKey ?? requireApiKey(id, options.apiKey, 'OPENAI_API_KEY');
      const settings = readOptions(realtimeTranscriptionOptions, config, id, logger);
      const { noise_reduction: noise } = settings;
      const model = config.model ?? options.defaultModel ?? fallbackModel;
      const base = (options.baseURL ?? publicUrl).replace(/^http/, 'ws').replace(/\/+$/, '');
      const { encoding } = format;
      const target = {
        id,
        apiKey,
        headers: { ...options.headers, authorization: `Bearer ${apiKey}` },
        audio: {
          chunkBytes: (chunkMs * format.sampleRateHz * (encoding === 'pcm16' ? 2 : 1)) / 1_000,
          padding: encoding === 'pcmu' || encoding === 'pcma' ? g711Silence[encoding] : 0,
        },
      };
      const sessionOf = (terms: readonly string[]) => ({
        type: 'transcription',
        audio: {
          input: {
            format: formatOf(format),
            transcription: transcriptionOf(model, settings, stream, terms),
            // The pipeline ends turns; `gpt-live-transcribe` accepts no detection.
            turn_detection: null,
            ...(noise !== undefined && { noise_reduction: { type: noise } }),
          },
        },
      });
      // The service refuses a transcription on a connection with a model in its URL.
      const url = `${base}/realtime?intent=transcription`;
      return new RecognitionStream(target, stream, (host) => new RealtimeRecognizer(host, url, hints, sessionOf));
    },
  };
}
