import type { SpeechToText } from '@va/core/adapter';
import { g711Silence } from '@va/media';
import { bytesPerMs } from '../shared/bytes-per-ms.ts';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { requireApiKey } from '../shared/options/api-key.ts';
import { languageSubtagOf, readOptions } from '../shared/options/options.ts';
import { socketUrl } from '../shared/options/query.ts';
import { RecognitionStream } from '../shared/recognition/stream.ts';
import { assemblyaiCatalog } from './catalog.ts';
import { optionsSchema } from './options.ts';
import { TurnRecognizer } from './turn-recognizer.ts';

const publicUrl = 'wss://streaming.assemblyai.com';
/** The service takes messages of 50 to 1,000 ms; frames of a call have 20 ms. */
const chunkMs = 60;

/** Options of {@link assemblyai}. */
export interface AssemblyAiOptions extends ProviderIdentity {
  /** Default: ASSEMBLYAI_API_KEY, read when a stream is opened. */
  readonly apiKey?: string;
  /** A regional service, such as `wss://streaming.eu.assemblyai.com`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** Model of agents without `stt_config.model`. Default: by language, a model of Universal Streaming. */
  readonly defaultModel?: string;
}

function modelFor(language: string | undefined): string {
  const isEnglish = language === undefined || language === 'en';
  return isEnglish ? 'universal-streaming-english' : 'universal-streaming-multilingual';
}

/**
 * Creates the adapter of AssemblyAI's streaming transcription (v3), which detects the ends of turns itself unless
 * `stt_config.turn_detection` is `pipeline`. `stt_config.keyterms` are passed on as key terms, also during a call. A
 * lost connection is replaced up to three times in a row; audio without a final transcript (5 s at most) is sent again.
 *
 * @see https://www.assemblyai.com/docs/api-reference/streaming-api/universal-streaming
 * @example createVoiceAgents({ providers: [assemblyai({ apiKey: process.env.ASSEMBLYAI_API_KEY }), …], … })
 */
export function assemblyai(options: AssemblyAiOptions = {}): SpeechToText {
  const identity = identityOf(options, { id: 'assemblyai', vendor: 'assemblyai', catalog: assemblyaiCatalog });
  const { id } = identity;
  return {
    kind: 'stt',
    ...identity,
    optionsSchema,
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 16_000 },
    ],
    open(stream) {
      const { config, format, hints, languages, logger } = stream;
      const apiKey = stream.apiKey ?? requireApiKey(id, options.apiKey, 'ASSEMBLYAI_API_KEY');
      const settings = readOptions(optionsSchema, config, id, logger);
      const { options: further = {}, turn_detection: _, format_turns = true, ...query } = settings;
      const language = languageSubtagOf(config.language);
      const model = config.model ?? options.defaultModel ?? modelFor(languages === undefined ? language : 'multi');
      const known = (languages ?? [config.language]).map(languageSubtagOf).filter((code) => code !== undefined);
      const codes = [...new Set(known)].filter((code) => code !== 'multi');
      const detection = languages === undefined ? {} : { language_detection: true };
      const isPcm16 = format.encoding === 'pcm16';
      const urlOf = (keyterms: readonly string[]): string =>
        socketUrl(options.baseUrl ?? publicUrl, '/v3/ws', further, detection, query, {
          speech_model: model,
          format_turns,
          encoding: isPcm16 ? 'pcm_s16le' : 'pcm_mulaw',
          sample_rate: format.sampleRateHz,
          ...(keyterms.length > 0 && { keyterms_prompt: JSON.stringify(keyterms) }),
          // Only this family of models accepts the expected languages.
          ...(model.startsWith('universal-3') && codes.length > 0 && { language_codes: JSON.stringify(codes) }),
        });
      const target = {
        id,
        apiKey,
        headers: { ...options.headers, authorization: apiKey },
        audio: { chunkBytes: chunkMs * bytesPerMs(format), padding: isPcm16 ? 0 : g711Silence.pcmu },
      };
      return new RecognitionStream(target, stream, (host) => new TurnRecognizer(host, settings, hints, urlOf));
    },
  };
}
