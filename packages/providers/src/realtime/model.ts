import type { AudioFormat, RealtimeModel } from '@va/core/adapter';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { requireApiKey } from '../shared/options/api-key.ts';
import type { RealtimeDialect } from './dialect.ts';
import { RealtimeVoiceSession } from './session.ts';

const defaultTimeoutMs = 15_000;

/** Options of all vendors' realtime models. */
export interface RealtimeModelOptions extends ProviderIdentity {
  /** Default: the vendor's environment variable, read when a session is opened. */
  readonly apiKey?: string;
  /** Another server of the same protocol, up to `/realtime`: `wss://host/v1`. */
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
  /** Model of agents without `llm_config.model`. */
  readonly defaultModel?: string;
  /**
   * Duration after which the vendor ends a session. The session is renewed in the first pause after 90 % of it, at the
   * latest at its end.
   */
  readonly maxSessionMs?: number;
  /** Time limit for the first chunk of a response, and between chunks. Default: 15,000. */
  readonly timeoutMs?: number;
}

/**
 * Telephone formats first: they need no conversion. Wideband calls use the vendors' own rate, which is converted once.
 */
const formats: readonly AudioFormat[] = [
  { encoding: 'pcmu', sampleRateHz: 8_000 },
  { encoding: 'pcma', sampleRateHz: 8_000 },
  { encoding: 'pcm16', sampleRateHz: 24_000 },
];

/** Creates the adapter of a vendor that implements the OpenAI Realtime protocol. */
export function realtimeModel(dialect: RealtimeDialect, options: RealtimeModelOptions): RealtimeModel {
  const identity = identityOf(options, dialect);
  const { id } = identity;
  const { aliases } = dialect;
  return {
    kind: 'realtime',
    ...identity,
    // A second provider of the vendor would claim the same aliases.
    ...(aliases !== undefined && options.id === undefined && { aliases }),
    optionsSchema: dialect.optionsSchema,
    defaultModel: options.defaultModel ?? dialect.defaultModel,
    inputFormats: formats,
    outputFormats: formats,
    open(session) {
      const apiKey = session.apiKey ?? requireApiKey(id, options.apiKey, dialect.keyVariable);
      const base = (options.baseUrl ?? dialect.publicUrl).replace(/^http/, 'ws').replace(/\/+$/, '');
      const url = new URL(`${base}/realtime`);
      const model = session.config.model ?? options.defaultModel ?? dialect.defaultModel;
      url.searchParams.set('model', model);
      const target = {
        id,
        dialect,
        url: url.href,
        apiKey,
        headers: { ...options.headers, authorization: `Bearer ${apiKey}` },
        maxSessionMs: options.maxSessionMs ?? dialect.maxSessionMs,
        timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      };
      return new RealtimeVoiceSession(target, session);
    },
  };
}
