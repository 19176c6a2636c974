import type { ByokProvider } from '@va/core';
import { type LanguageModel, type LlmEvent, type LlmRequest, ProviderError } from '@va/core/adapter';
import { RequestTimeout } from '../shared/connection/request-timeout.ts';
import { fieldsOf, type VendorFields } from '../shared/json.ts';
import { readOptions } from '../shared/options/options.ts';
import { toProviderError } from './fault.ts';
import type { AiSdkModel, StreamPart } from './language-model.ts';
import { optionsSchema } from './options.ts';
import { toPrompt, toTool } from './prompt.ts';
import { usageOf } from './usage.ts';

export type { AiSdkModel, StreamPart } from './language-model.ts';

const defaultTimeoutMs = 15_000;
/** Maximum of one reply in characters: text, reasoning and arguments of tools. */
const maxReplyLength = 16 * 1024 * 1024;

/** Options of {@link aiSdk}. */
export interface AiSdkOptions {
  /** Name by which agents select the provider. Default: `ai-sdk`. */
  readonly id?: string;
  /** Name under which organizations store their own key, for a `model` that is a function. Default: the `id`. */
  readonly vendor?: string;
  /** Entry of the vendor in the list of BYOK providers. */
  readonly catalog?: ByokProvider;
  /** Model of agents without `llm_config.model`, for a `model` that is a function. */
  readonly defaultModel?: string;
  /** Options of the AI SDK's provider for all agents. They take precedence over those of an agent. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Time limit for the first part of a reply, and between parts. Default: 15,000. */
  readonly timeoutMs?: number;
}

/** Creates the model that an agent names; `apiKey` is the organization's own, if it has one. */
export type CreateAiSdkModel = (modelId: string, apiKey?: string) => AiSdkModel;

/**
 * Creates the adapter of a language model of the AI SDK, version 2, 3 or 4 of its specification. A fixed model ignores
 * `llm_config.model`; it cannot use an organization's own key and refuses requests that have one.
 *
 * @example aiSdk((id, apiKey) => createAnthropic(apiKey === undefined ? {} : { apiKey })(id), { id: 'anthropic',
 *   defaultModel: 'claude-haiku-4-5' })
 */
export function aiSdk(model: AiSdkModel | CreateAiSdkModel, options: AiSdkOptions = {}): LanguageModel {
  const { id = 'ai-sdk', vendor = id, catalog } = options;
  return {
    kind: 'llm',
    id,
    vendor,
    ...(catalog !== undefined && { catalog }),
    optionsSchema,
    stream: (request) => reply(id, model, options, request),
  };
}

async function* reply(
  id: string,
  model: AiSdkModel | CreateAiSdkModel,
  options: AiSdkOptions,
  request: LlmRequest,
): AsyncGenerator<LlmEvent> {
  const { clock, signal, apiKey } = request;
  const timeout = new RequestTimeout(id, clock, options.timeoutMs ?? defaultTimeoutMs, signal);
  try {
    const chosen = modelFor(id, model, options, request);
    const call = callOptions(id, chosen, options, request, timeout.signal);
    for await (const event of eventsOf(id, chosen, call, timeout)) {
      if (signal.aborted) return;
      yield event;
    }
  } catch (thrown) {
    if (!signal.aborted) throw timeout.error ?? toProviderError(id, thrown, apiKey);
  } finally {
    timeout.end();
  }
}

function modelFor(
  id: string,
  model: AiSdkModel | CreateAiSdkModel,
  { defaultModel }: AiSdkOptions,
  { config, apiKey }: LlmRequest,
): AiSdkModel {
  if (typeof model !== 'function') {
    if (apiKey === undefined) return model;
    throw new ProviderError(id, 'auth', 'a fixed model cannot use the key of an organization: pass a function.');
  }
  const modelId = config.model ?? defaultModel;
  if (modelId === undefined) throw new ProviderError(id, 'invalid_request', 'llm_config.model is missing.');
  return model(modelId, apiKey);
}

function callOptions(
  id: string,
  { specificationVersion: version }: AiSdkModel,
  host: AiSdkOptions,
  { config, messages, tools, logger }: LlmRequest,
  abortSignal: AbortSignal,
): VendorFields {
  if (!['v2', 'v3', 'v4'].includes(version)) {
    throw new ProviderError(id, 'invalid_request', `the model has version ${version}; accepted are v2, v3 and v4.`);
  }
  const { max_output_tokens, top_p, reasoning, provider_options } = readOptions(optionsSchema, config, id, logger);
  const providerOptions: Record<string, unknown> = { ...provider_options };
  for (const [name, own] of Object.entries(host.providerOptions ?? {})) {
    providerOptions[name] = { ...fieldsOf(providerOptions[name]), ...own };
  }
  return {
    prompt: toPrompt(messages),
    abortSignal,
    ...(tools.length > 0 && { tools: tools.map(toTool), toolChoice: { type: 'auto' } }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
    ...(max_output_tokens !== undefined && { maxOutputTokens: max_output_tokens }),
    ...(top_p !== undefined && { topP: top_p }),
    // Reasoning delays the first word by seconds. Models that do not reason ignore the setting, with a warning.
    ...(version === 'v4' && { reasoning: reasoning ?? 'none' }),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
  };
}

async function* eventsOf(
  id: string,
  model: AiSdkModel,
  options: VendorFields,
  timeout: RequestTimeout,
): AsyncGenerator<LlmEvent> {
  const { stream } = await untilAborted(model.doStream(options as never), timeout.signal);
  const reader = stream.getReader();
  let isFinished = false;
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), timeout.signal);
      if (done) break;
      timeout.renew();
      const part: StreamPart & VendorFields = { ...value };
      if (part.type === 'error') throw errorOf(part);
      length += lengthOf(part);
      if (length > maxReplyLength) throw new ProviderError(id, 'protocol', 'the reply exceeds 16 MiB');
      isFinished ||= part.type === 'finish' && hasReason(part.finishReason);
      yield* toEvents(part, model.provider);
    }
  } finally {
    // Not awaited: it may hang if the model ignores the signal.
    reader.cancel().catch(() => {});
  }
  if (!isFinished) throw new ProviderError(id, 'connection', 'the reply ended before it was complete');
}

/**
 * Returns false for the reason of a response that broke off, after which some providers send a `finish` part too. The
 * reason is then `unknown` in version 2, `other` without the service's own value in version 3, and `interrupted` in
 * version 4.
 */
function hasReason(reason: unknown): boolean {
  if (typeof reason === 'string') return reason !== 'unknown';
  const { unified, raw } = fieldsOf(reason) ?? {};
  return unified !== 'interrupted' && (unified !== 'other' || raw !== undefined);
}

function lengthOf({ delta, input }: StreamPart & VendorFields): number {
  const text = typeof delta === 'string' ? delta : input;
  return typeof text === 'string' ? text.length : 0;
}

function errorOf({ error }: StreamPart & VendorFields): unknown {
  return error;
}

function* toEvents(part: StreamPart & VendorFields, provider: string): Generator<LlmEvent> {
  if (part.type === 'text-delta' && typeof part.delta === 'string' && part.delta !== '') {
    yield { type: 'text', text: part.delta };
  }
  if (part.type === 'tool-call' && part.providerExecuted !== true) {
    const { toolCallId: id, toolName: name, input } = part;
    if (typeof id !== 'string' || typeof name !== 'string') return;
    yield {
      type: 'tool-call',
      call: { id, name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
    };
  }
  const usage = part.type === 'finish' ? usageOf(part.usage, provider) : null;
  if (usage !== null) yield { type: 'usage', usage };
}

/** Rejects on abort even if the model ignores the signal. */
async function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('The request was aborted.'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
