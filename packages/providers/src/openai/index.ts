import { type LanguageModel, type LlmEvent, type LlmRequest, ProviderError } from '@va/core';
import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { requireApiKey } from '../shared/api-key.ts';
import { toProviderError } from './fault.ts';
import { toOpenAiMessage, toOpenAiTool } from './messages.ts';
import { Patience } from './patience.ts';
import { ToolCallAssembly } from './tool-calls.ts';

export { type OpenAiRealtimeOptions, openaiRealtime } from './realtime.ts';

const defaultModel = 'gpt-4.1-mini';
const defaultTimeoutMs = 15_000;

export interface OpenAiOptions {
  /** OPENAI_API_KEY by default, read with the first request. */
  readonly apiKey?: string;
  /** Any service that speaks chat completions, such as `https://api.groq.com/openai/v1`. */
  readonly baseURL?: string;
  readonly headers?: Record<string, string>;
  /** For the first piece of a reply, and between pieces; 15,000 by default. */
  readonly timeoutMs?: number;
}

function paramsOf({ config, messages, tools }: LlmRequest): ChatCompletionCreateParamsStreaming {
  return {
    model: config.model ?? defaultModel,
    stream: true,
    messages: messages.map(toOpenAiMessage),
    ...(tools.length > 0 && { tools: tools.map(toOpenAiTool) }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
  };
}

class OpenAiModel implements LanguageModel {
  readonly kind = 'llm';
  readonly id = 'openai';
  readonly #options: OpenAiOptions;
  #client: OpenAI | undefined;

  constructor(options: OpenAiOptions) {
    this.#options = options;
  }

  connect({ apiKey: own, signal }: Omit<LlmRequest, 'messages' | 'tools'>): void {
    const warm = async (): Promise<void> => {
      const apiKey = own ?? requireApiKey('openai', this.#options.apiKey, 'OPENAI_API_KEY');
      const { OpenAI: module } = await import('openai');
      const { baseURL } = this.#clientFor(module, apiKey, own !== undefined);
      if (signal.aborted) return;
      // Any answer will do: the connection stays open for the first request. Without a key it costs nothing.
      const answer = await fetch(baseURL, { method: 'OPTIONS', redirect: 'manual', signal });
      await answer.arrayBuffer();
    };
    // What is wrong shows in the request.
    warm().catch(() => {});
  }

  async *stream(request: LlmRequest): AsyncGenerator<LlmEvent> {
    const apiKey = request.apiKey ?? requireApiKey('openai', this.#options.apiKey, 'OPENAI_API_KEY');
    const { OpenAI: module } = await import('openai');
    const { timeoutMs = defaultTimeoutMs } = this.#options;
    const client = this.#clientFor(module, apiKey, request.apiKey !== undefined);
    const patience = new Patience(request.clock, timeoutMs, request.signal);
    try {
      for await (const event of reply(client, paramsOf(request), patience)) {
        // The client has more in store when the call is over.
        if (request.signal.aborted) return;
        yield event;
      }
    } catch (thrown) {
      if (!request.signal.aborted) throw patience.timeout ?? toProviderError(thrown, module, apiKey);
    } finally {
      patience.end();
    }
  }

  #clientFor(module: typeof OpenAI, apiKey: string, isCustomers: boolean): OpenAI {
    const { baseURL, headers } = this.#options;
    const options = { apiKey, baseURL, defaultHeaders: headers, maxRetries: 0 };
    // Clients share their connections. One for a customer's key is not kept, so that neither is the key, and the host's
    // organization in the environment is not the customer's.
    if (isCustomers) return new module({ ...options, organization: null, project: null });
    this.#client ??= new module(options);
    return this.#client;
  }
}

async function* reply(
  client: OpenAI,
  params: ChatCompletionCreateParamsStreaming,
  patience: Patience,
): AsyncGenerator<LlmEvent> {
  const { signal } = patience;
  const assembly = new ToolCallAssembly();
  let finished = false;
  for await (const chunk of await client.chat.completions.create(params, { signal })) {
    patience.renew();
    const choice = chunk.choices?.[0];
    if (choice?.delta?.content) yield { type: 'text', text: choice.delta.content };
    for (const delta of choice?.delta?.tool_calls ?? []) assembly.add(delta);
    if (choice?.finish_reason) {
      finished = true;
      for (const call of assembly.take()) yield { type: 'tool-call', call };
    }
  }
  // The client ends an aborted stream without an error.
  if (!finished) throw new ProviderError('openai', 'connection', 'the reply ended in the middle');
}

/**
 * Chat completions of OpenAI, and of every service that speaks them. `llm_config.model` is `gpt-4.1-mini` by default.
 * A request is not retried here: the conversation decides about that.
 */
export function openai(options: OpenAiOptions = {}): LanguageModel {
  return new OpenAiModel(options);
}
