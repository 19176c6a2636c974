import type { SpeechToText } from '@va/core';
import { requireApiKey } from '../shared/api-key.ts';
import { FluxListener } from './flux-listener.ts';
import { NovaListener } from './nova-listener.ts';
import { DeepgramStream } from './stream.ts';

export interface DeepgramOptions {
  /** DEEPGRAM_API_KEY by default, read when a stream is opened. */
  readonly apiKey?: string;
  /** A self-hosted or regional service: `wss://host`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
}

/**
 * Deepgram's live transcription. `stt_config.model` is `nova-3` by default; the call's hints go along as key terms.
 * A lost connection is remade up to three times in a row, and what was said meanwhile is sent again.
 *
 * Models whose name begins with `flux` hear by themselves where a turn ends; `stt_config` then takes `eot_threshold`,
 * `eager_eot_threshold` (which lets replies be prepared early) and `eot_timeout_ms`.
 * @see https://developers.deepgram.com/docs/flux/configuration
 */
export function deepgram(options: DeepgramOptions = {}): SpeechToText {
  return {
    kind: 'stt',
    id: 'deepgram',
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcma', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
    ],
    open(stream) {
      const { config, format, hints, clock } = stream;
      const apiKey = stream.apiKey ?? requireApiKey('deepgram', options.apiKey, 'DEEPGRAM_API_KEY');
      const { baseUrl, headers } = options;
      const target = { apiKey, baseUrl, headers, config, format, keyterms: hints, clock };
      const Kind = config.model?.startsWith('flux') ? FluxListener : NovaListener;
      return new DeepgramStream(stream, (host) => new Kind(host, target));
    },
  };
}
