import type { RealtimeModel } from '@va/core/adapter';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { requireApiKey } from '../shared/options/api-key.ts';
import { geminiCatalog } from './catalog.ts';
import { geminiLiveOptions } from './options.ts';
import { GeminiSession } from './session.ts';

const defaultModel = 'gemini-2.5-flash-native-audio-preview-12-2025';
const defaultTimeoutMs = 15_000;
const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';

/** Options of {@link geminiLive}. */
export interface GeminiLiveOptions extends ProviderIdentity {
  /** Default: `GEMINI_API_KEY`, read when a session is opened. */
  readonly apiKey?: string;
  /** Another server of the same protocol: `wss://host`. */
  readonly baseUrl?: string;
  /** Model of agents without `llm_config.model`. */
  readonly defaultModel?: string;
  /** Time limit for the first chunk of a response, and between chunks. Default: 15,000. */
  readonly timeoutMs?: number;
}

/**
 * Creates the adapter of Google's Gemini Live models. `llm_config.voice` is `Puck` by default.
 * @see https://ai.google.dev/api/live
 * @example createVoiceAgents({ providers: [geminiLive()], … }); // an agent: { llm_config: { provider:
 * 'gemini_live' } }
 */
export function geminiLive(options: GeminiLiveOptions = {}): RealtimeModel {
  const identity = identityOf(options, { id: 'gemini_live', vendor: 'gemini', catalog: geminiCatalog });
  const ownDefault = options.defaultModel ?? defaultModel;
  return {
    kind: 'realtime',
    ...identity,
    optionsSchema: geminiLiveOptions,
    defaultModel: ownDefault,
    // The service resamples other rates of input to 16 kHz; its output has one rate.
    inputFormats: [
      { encoding: 'pcm16', sampleRateHz: 16_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
    ],
    outputFormats: [{ encoding: 'pcm16', sampleRateHz: 24_000 }],
    open(session) {
      const apiKey = session.apiKey ?? requireApiKey(identity.id, options.apiKey, 'GEMINI_API_KEY');
      const base = options.baseUrl ?? 'wss://generativelanguage.googleapis.com';
      const url = new URL(path, base.replace(/^http/, 'ws'));
      url.searchParams.set('key', apiKey);
      const target = {
        id: identity.id,
        url: url.href,
        model: session.config.model ?? ownDefault,
        apiKey,
        timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      };
      return new GeminiSession(target, session);
    },
  };
}
