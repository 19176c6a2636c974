import type { SpeechToText, SttStreamOptions } from '@va/core/adapter';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { requireApiKey } from '../shared/options/api-key.ts';
import { readOptions } from '../shared/options/options.ts';
import { deepgramCatalog } from './catalog.ts';
import type { DeepgramTarget } from './connection.ts';
import { FluxListener } from './flux-listener.ts';
import { NovaListener } from './nova-listener.ts';
import { optionsSchema } from './options.ts';
import { DeepgramStream } from './stream.ts';

export { type DeepgramSpeechOptions, deepgramSpeech } from './speech/model.ts';

const fallbackModel = 'nova-3';
/** Endpoints that cannot change the key terms of Nova-3 during a call. */
const regionalEndpoint = /\bapi\.(eu|au|in)\.deepgram\.com\b/;

/** Options of {@link deepgram}. */
export interface DeepgramOptions extends ProviderIdentity {
  /** Default: DEEPGRAM_API_KEY, read when a stream is opened. */
  readonly apiKey?: string;
  /** A self-hosted or regional service: `wss://host`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** Model of agents without `stt_config.model`. */
  readonly defaultModel?: string;
  /** True excludes audio from the vendor's model improvement program, which changes the price. */
  readonly mipOptOut?: boolean;
  /** Labels of the requests in the vendor's usage reports. */
  readonly tags?: readonly string[];
  /**
   * True if the vendor has enabled `ForceEndTurn` for the account: turns of Flux that time out are then ended with it.
   */
  readonly forceEndTurn?: boolean;
}

/**
 * Creates the adapter of Deepgram's live transcription. `stt_config.model` is `nova-3` by default;
 * `stt_config.keyterms` are passed on as key terms (`keywords` for models before Nova-3). A lost connection is replaced
 * up to three times in a row, and audio without final words is sent again.
 *
 * Models whose name begins with `flux` detect the end of turns themselves; `stt_config` then accepts `eot_threshold`,
 * `eager_eot_threshold` (which lets replies be prepared early) and `eot_timeout_ms`.
 * @see https://developers.deepgram.com/docs/flux/configuration
 * @example createVoiceAgents({ providers: [deepgram({ apiKey: process.env.DEEPGRAM_API_KEY }), …], … })
 */
export function deepgram(options: DeepgramOptions = {}): SpeechToText {
  const identity = identityOf(options, { id: 'deepgram', vendor: 'deepgram', catalog: deepgramCatalog });
  return {
    kind: 'stt',
    ...identity,
    optionsSchema,
    defaultModel: options.defaultModel ?? fallbackModel,
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcma', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 16_000 },
    ],
    open(stream) {
      const target = targetOf(identity.id, options, stream);
      const Kind = target.model.startsWith('flux') ? FluxListener : NovaListener;
      return new DeepgramStream(target, stream, (host, keyterms) => new Kind(host, target, keyterms));
    },
  };
}

function targetOf(id: string, options: DeepgramOptions, stream: SttStreamOptions): DeepgramTarget {
  const { config, format, clock, logger } = stream;
  const { baseUrl, headers, defaultModel = fallbackModel, mipOptOut, tags } = options;
  return {
    id,
    apiKey: stream.apiKey ?? requireApiKey(id, options.apiKey, 'DEEPGRAM_API_KEY'),
    baseUrl,
    headers,
    config,
    languages: stream.languages,
    model: config.model ?? defaultModel,
    settings: readOptions(optionsSchema, config, id, logger),
    format,
    hostQuery: {
      ...(mipOptOut !== undefined && { mip_opt_out: String(mipOptOut) }),
      ...(tags !== undefined && { tag: tags }),
    },
    updatesKeyterms: !regionalEndpoint.test(baseUrl ?? ''),
    forcesEndOfTurn: options.forceEndTurn ?? false,
    clock,
  };
}
