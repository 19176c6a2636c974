import type { SpeechToText } from '@va/core/adapter';
import { g711Silence } from '@va/media';
import { bytesPerMs } from '../../shared/bytes-per-ms.ts';
import { identityOf, type ProviderIdentity } from '../../shared/identity.ts';
import { requireApiKey } from '../../shared/options/api-key.ts';
import { languageSubtagOf, pick, readOptions } from '../../shared/options/options.ts';
import { socketUrl } from '../../shared/options/query.ts';
import { RecognitionStream } from '../../shared/recognition/stream.ts';
import { apiVersion } from '../api-version.ts';
import { cartesiaTranscriptionCatalog } from '../catalog.ts';
import { FinalizeRecognizer } from './finalize-recognizer.ts';
import { fittingKeyterms, transcriptionOptionsSchema } from './options.ts';

const publicUrl = 'wss://api.cartesia.ai';
/** Ink 2 understands English only. */
const englishModel = 'ink-2';
const multilingualModel = 'ink-whisper';
const encodings = { pcmu: 'pcm_mulaw', pcma: 'pcm_alaw', pcm16: 'pcm_s16le' } as const;
/** Audio in one message. */
const chunkMs = 40;

/** Options of {@link cartesiaTranscription}. */
export interface CartesiaTranscriptionOptions extends ProviderIdentity {
  /** Default: CARTESIA_API_KEY, read when a stream is opened. */
  readonly apiKey?: string;
  /** Another server of the same protocol: `wss://host` or `https://host`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** Model of agents without `stt_config.model`. Default: `ink-2` for English, `ink-whisper` for other languages. */
  readonly defaultModel?: string;
}

/**
 * Creates the adapter of Cartesia's Ink over a WebSocket. The words are requested when the pipeline ends a turn.
 * `stt_config.keyterms` are passed on when a connection is opened.
 *
 * @see https://docs.cartesia.ai/api-reference/stt/websocket
 * @example createVoiceAgents({ providers: [cartesia(), cartesiaTranscription(), …], … })
 */
export function cartesiaTranscription(options: CartesiaTranscriptionOptions = {}): SpeechToText {
  const catalog = cartesiaTranscriptionCatalog;
  const identity = identityOf(options, { id: 'cartesia', vendor: 'cartesia', catalog });
  const { id } = identity;
  return {
    kind: 'stt',
    ...identity,
    optionsSchema: transcriptionOptionsSchema,
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcma', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 16_000 },
    ],
    open(stream) {
      const { config, format, hints, languages, logger } = stream;
      const apiKey = stream.apiKey ?? requireApiKey(id, options.apiKey, 'CARTESIA_API_KEY');
      const settings = readOptions(transcriptionOptionsSchema, config, id, logger);
      // The service detects no language: `language` is used if it names one, else the first of several.
      const named = config.language === 'multi' ? languages?.[0] : (config.language ?? languages?.[0]);
      const language = languageSubtagOf(named);
      const preferred = language === undefined || language === 'en' ? englishModel : multilingualModel;
      const model = config.model ?? options.defaultModel ?? preferred;
      const own = pick(settings, ['min_volume', 'max_silence_duration_secs']);
      const urlOf = (terms: readonly string[]): string => {
        const keyterm = fittingKeyterms(terms, model);
        const dropped = terms.length - keyterm.length;
        if (dropped > 0) logger.warn({ provider: id, dropped }, 'dropped key terms beyond the limit');
        return socketUrl(options.baseUrl ?? publicUrl, '/stt/websocket', settings.options ?? {}, own, {
          model,
          language,
          encoding: encodings[format.encoding],
          sample_rate: format.sampleRateHz,
          keyterm,
        });
      };
      const target = {
        id,
        apiKey,
        headers: { ...options.headers, authorization: `Bearer ${apiKey}`, 'cartesia-version': apiVersion },
        audio: {
          chunkBytes: chunkMs * bytesPerMs(format),
          padding: format.encoding === 'pcm16' ? 0 : g711Silence[format.encoding],
        },
      };
      return new RecognitionStream(target, stream, (host) => new FinalizeRecognizer(host, hints, urlOf));
    },
  };
}
