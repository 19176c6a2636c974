import { type ByokProvider, ProviderError } from '@va/core';
import {
  type AddressPolicy,
  type LanguageModel,
  type LlmEvent,
  type LlmRequest,
  type ModelUsage,
  modelEndpointFields,
  type OptionIssue,
} from '@va/core/adapter';
import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { providerFetch } from '../shared/connection/network.ts';
import { RequestTimeout } from '../shared/connection/request-timeout.ts';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { requireApiKey } from '../shared/options/api-key.ts';
import { readOptions } from '../shared/options/options.ts';
import { AgentEndpoints, agentEndpointOf } from './agent-endpoint.ts';
import { openaiCatalog } from './catalog.ts';
import { toProviderError } from './fault.ts';
import { toOpenAiMessage, toOpenAiTool } from './messages.ts';
import { optionsSchema, settingsFor, takesSampling } from './options.ts';
import { ToolCallAssembly } from './tool-calls.ts';
import { toModelUsage } from './usage.ts';

export { type OpenAiRealtimeOptions, openaiRealtime } from './realtime.ts';
export {
  type OpenAiRealtimeTranscriptionOptions,
  openaiRealtimeTranscription,
} from './realtime-transcription/model.ts';
export { type OpenAiSpeechOptions, openaiSpeech } from './speech.ts';
export { type OpenAiTranscriptionOptions, openaiTranscription } from './transcription.ts';

const fallbackModel = 'gpt-4.1-mini';
const defaultTimeoutMs = 15_000;

/** Options of {@link openai}. */
export interface OpenAiOptions extends ProviderIdentity {
  /** Default: OPENAI_API_KEY, read with the first request. */
  readonly apiKey?: string;
  /** Any service with the chat completions API, such as `https://api.groq.com/openai/v1`. */
  readonly baseURL?: string;
  readonly headers?: Record<string, string>;
  /**
   * Addresses that `llm_config.url` of agents may have; by default those of the public internet.
   *
   * @example createAddressPolicy({ allowed: ['models.internal'] })
   */
  readonly addresses?: AddressPolicy;
  /** Time limit for the first chunk of a reply, and between chunks. Default: 15,000. */
  readonly timeoutMs?: number;
  /** Model of agents without `llm_config.model`. Default: `gpt-4.1-mini`. */
  readonly defaultModel?: string;
  /**
   * True to request the token counts of each reply; otherwise costs are estimated from its text. Default: true for
   * OpenAI, false with another `baseURL`, because some services reject the request (Mistral answers 422).
   */
  readonly includeUsage?: boolean;
  /** Processing tier, which affects latency and price. */
  readonly serviceTier?: 'auto' | 'default' | 'flex' | 'priority';
  /** True if the vendor stores replies. */
  readonly store?: boolean;
  /** Labels of stored replies. */
  readonly metadata?: Readonly<Record<string, string>>;
}

function paramsOf(
  { config, messages, tools, logger }: LlmRequest,
  id: string,
  { baseURL, defaultModel = fallbackModel, includeUsage = baseURL === undefined, ...options }: OpenAiOptions,
): ChatCompletionCreateParamsStreaming {
  const { serviceTier, store, metadata } = options;
  const model = config.model ?? defaultModel;
  const {
    top_p,
    parallel_tool_calls,
    options: further,
    ...settings
  } = settingsFor(model, readOptions(optionsSchema, config, id, logger), tools.length > 0);
  const isSampled = takesSampling(model, settings);
  return {
    ...further,
    model,
    stream: true,
    messages: messages.map(toOpenAiMessage),
    ...(includeUsage && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && { tools: tools.map(toOpenAiTool) }),
    // The service rejects `parallel_tool_calls` in a request without tools.
    ...(tools.length > 0 && parallel_tool_calls !== undefined && { parallel_tool_calls }),
    ...(config.temperature !== undefined && isSampled && { temperature: config.temperature }),
    ...(top_p !== undefined && isSampled && { top_p }),
    ...settings,
    ...(serviceTier !== undefined && { service_tier: serviceTier }),
    ...(store !== undefined && { store }),
    ...(metadata !== undefined && { metadata: { ...metadata } }),
  };
}

class OpenAiModel implements LanguageModel {
  readonly kind = 'llm';
  readonly id: string;
  readonly vendor: string;
  readonly catalog?: ByokProvider;
  readonly optionsSchema = optionsSchema.extend(modelEndpointFields);
  readonly defaultModel: string;
  readonly #options: OpenAiOptions;
  readonly #endpoints: AgentEndpoints;
  #client: OpenAI | undefined;

  constructor(options: OpenAiOptions) {
    const { id, vendor, catalog } = identityOf(options, { id: 'openai', vendor: 'openai', catalog: openaiCatalog });
    this.id = id;
    this.vendor = vendor;
    if (catalog !== undefined) this.catalog = catalog;
    this.defaultModel = options.defaultModel ?? fallbackModel;
    this.#options = options;
    this.#endpoints = new AgentEndpoints(options.addresses);
  }

  checkOptions(
    config: Readonly<Record<string, unknown>>,
    { orgId }: { orgId: string },
  ): Promise<readonly OptionIssue[]> {
    return this.#endpoints.check(config, orgId);
  }

  connect(request: Omit<LlmRequest, 'messages' | 'tools'>): void {
    const { signal } = request;
    const warm = async (): Promise<void> => {
      const { OpenAI: module } = await import('openai');
      const { client, fetch } = this.#connectionFor(module, request);
      if (signal.aborted) return;
      // Any response is sufficient: the connection stays open for the first request. Without a key it costs nothing.
      const answer = await fetch(client.baseURL, { method: 'OPTIONS', redirect: 'manual', signal });
      await answer.arrayBuffer();
    };
    // A fault will be reported by the request itself.
    warm().catch(() => {});
  }

  /**
   * Returns the host's API key. Only a provider with the id `openai` gets that of the environment, because another
   * service must not receive it.
   */
  #hostKey(): string {
    const { apiKey } = this.#options;
    if (this.id === 'openai' || apiKey !== undefined) return requireApiKey(this.id, apiKey, 'OPENAI_API_KEY');
    throw new ProviderError(this.id, 'auth', 'no API key: pass apiKey.');
  }

  async *stream(request: LlmRequest): AsyncGenerator<LlmEvent> {
    const { OpenAI: module } = await import('openai');
    const { timeoutMs = defaultTimeoutMs } = this.#options;
    const { client, keys } = this.#connectionFor(module, request);
    const timeout = new RequestTimeout(this.id, request.clock, timeoutMs, request.signal);
    try {
      for await (const event of reply(this.id, client, paramsOf(request, this.id, this.#options), timeout)) {
        // The client may have buffered chunks when the call ends.
        if (request.signal.aborted) return;
        yield event;
      }
    } catch (thrown) {
      if (!request.signal.aborted) throw timeout.error ?? toProviderError(this.id, thrown, module, keys);
    } finally {
      timeout.end();
    }
  }

  #connectionFor(module: typeof OpenAI, request: Omit<LlmRequest, 'messages' | 'tools'>): ChatClient {
    const { baseURL, headers } = this.#options;
    // OPENAI_ORG_ID and OPENAI_PROJECT_ID of the host do not apply to customers.
    const customers = { organization: null, project: null, maxRetries: 0 };
    const endpoint = agentEndpointOf(this.id, request);
    if (endpoint !== null) {
      const { url, apiKey } = endpoint;
      const fetch = this.#endpoints.fetchFor(request.orgId ?? 'unknown');
      // Neither the host's key and headers nor the organization's key for the vendor go to a server of an agent's.
      const defaultHeaders = { ...(apiKey === undefined && { authorization: null }), ...endpoint.headers };
      const client = new module({ ...customers, apiKey: apiKey ?? 'none', baseURL: url, defaultHeaders, fetch });
      const keys = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(endpoint.headers)];
      return { client, fetch, keys };
    }
    const own = request.apiKey;
    const apiKey = own ?? this.#hostKey();
    const options = { apiKey, baseURL, defaultHeaders: headers, maxRetries: 0, fetch: providerFetch };
    // Clients share their connections. One with a customer's key is not cached, so that the key is not kept either.
    if (own !== undefined) {
      return { client: new module({ ...options, ...customers }), fetch: providerFetch, keys: [apiKey] };
    }
    this.#client ??= new module(options);
    return { client: this.#client, fetch: providerFetch, keys: [apiKey] };
  }
}

/** Client of a request, with its `fetch` and its secrets. */
interface ChatClient {
  readonly client: OpenAI;
  readonly fetch: typeof fetch;
  /** Secrets to remove from error messages. */
  readonly keys: readonly string[];
}

async function* reply(
  id: string,
  client: OpenAI,
  params: ChatCompletionCreateParamsStreaming,
  timeout: RequestTimeout,
): AsyncGenerator<LlmEvent> {
  const { signal } = timeout;
  const assembly = new ToolCallAssembly();
  let finished = false;
  let usage: ModelUsage | null = null;
  for await (const chunk of await client.chat.completions.create(params, { signal })) {
    timeout.renew();
    const choice = chunk.choices?.[0];
    if (choice?.delta?.content) yield { type: 'text', text: choice.delta.content };
    for (const delta of choice?.delta?.tool_calls ?? []) assembly.add(delta);
    if (choice?.finish_reason) {
      finished = true;
      for (const call of assembly.take()) yield { type: 'tool-call', call };
    }
    // Some services send the usage in every chunk; only the counts of the last one are complete.
    usage = toModelUsage(chunk.usage) ?? usage;
  }
  // The client ends an aborted stream without an error.
  if (!finished) throw new ProviderError(id, 'connection', 'the reply ended before it was complete');
  if (usage !== null) yield { type: 'usage', usage };
}

/**
 * Creates the adapter of chat completions of OpenAI, and of every service with the same API. `llm_config.model` is
 * `gpt-4.1-mini` by default. Requests are not retried here: the conversation decides about retries.
 *
 * @example openai({ id: 'groq', baseURL: 'https://api.groq.com/openai/v1', apiKey, defaultModel:
 *   'llama-3.3-70b-versatile' })
 */
export function openai(options: OpenAiOptions = {}): LanguageModel {
  return new OpenAiModel(options);
}
