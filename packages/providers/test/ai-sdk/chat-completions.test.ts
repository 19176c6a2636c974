import { createOpenAI as createV4 } from '@ai-sdk/openai';
import type { ChatMessage, LlmEvent } from '@va/core/adapter';
import { type AiSdkModel, type AiSdkOptions, aiSdk } from '@va/providers/ai-sdk';
import { type OpenAiFault, OpenAiServer } from '@va/testkit/provider-servers';
import { providerConformance } from '@va/testkit/providers';
import { createOpenAI as createV2 } from 'ai-sdk-v2-openai';
import { createOpenAI as createV3 } from 'ai-sdk-v3-openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, common, until } from '../options.ts';

type Create = (baseURL: string, apiKey: string) => (modelId: string) => AiSdkModel;
const generations: [string, Create][] = [
  ['v2', (baseURL, apiKey) => createV2({ baseURL, apiKey }).chat],
  ['v3', (baseURL, apiKey) => createV3({ baseURL, apiKey }).chat],
  ['v4', (baseURL, apiKey) => createV4({ baseURL, apiKey }).chat],
];

let server: OpenAiServer;
beforeAll(async () => {
  server = await OpenAiServer.start();
});
afterAll(() => server.close());

const tools = [{ name: 'book', description: 'Books a table', parameters: { type: 'object', properties: {} } }];

describe.each(generations)('aiSdk with a model of %s', (version, create) => {
  function stream(
    options: AiSdkOptions & { messages?: ChatMessage[]; signal?: AbortSignal; config?: object; apiKey?: string } = {},
  ): AsyncIterable<LlmEvent> {
    const { messages = [{ role: 'user', content: 'Hello' }], signal, config, apiKey, ...rest } = options;
    const model = aiSdk((id, own) => create(server.url, own ?? 'sk-host')(id), { defaultModel: 'gpt-x', ...rest });
    return model.stream({
      ...common(signal),
      config: { provider: 'ai-sdk', messages: [], tools: [], ...config },
      messages,
      tools,
      ...(apiKey !== undefined && { apiKey }),
    });
  }

  it('takes a model of that version', () => {
    expect(create(server.url, 'k')('m').specificationVersion).toBe(version);
  });

  it('streams text, then tool calls, then the usage', async () => {
    const call = { id: 'call_1', name: 'book', arguments: '{"people":4}' };
    server.reply({ text: 'One moment.', toolCalls: [call] });
    const events = await collect(stream());
    expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'tool-call', 'usage']);
    expect(events[2]).toEqual({ type: 'tool-call', call });
    expect(events[3]).toMatchObject({ usage: { inputTokens: 10, outputTokens: 2 } });
  });

  it('sends the conversation, the settings, the model and the organization’s key', async () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'You book tables.' },
      { role: 'user', content: 'For four' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'book', arguments: '{"n":4}' }] },
      { role: 'tool', toolCallId: 'call_1', content: 'done' },
    ];
    const provider_options = { openai: { user: 'agent', parallelToolCalls: false } };
    const config = { model: 'gpt-y', temperature: 0.2, max_output_tokens: 50, top_p: 0.5, provider_options };
    await collect(stream({ messages, config, apiKey: 'sk-own', providerOptions: { openai: { user: 'host' } } }));
    const request = server.requests.at(-1);
    expect(request?.headers.authorization).toBe('Bearer sk-own');
    expect(request?.body).toMatchObject({
      model: 'gpt-y',
      temperature: 0.2,
      max_tokens: 50,
      top_p: 0.5,
      user: 'host',
      parallel_tool_calls: false,
      messages: [
        { role: 'system', content: 'You book tables.' },
        { role: 'user', content: 'For four' },
        { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'book', arguments: '{"n":4}' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'done' },
      ],
      tools: [{ type: 'function', function: { name: 'book' } }],
    });
  });

  it.each([
    [401, 'auth', false],
    [400, 'invalid_request', false],
    [429, 'unavailable', true],
    [503, 'unavailable', true],
  ])('classifies HTTP %i', async (status, fault, retryable) => {
    server.failNext({ status });
    await expect(collect(stream())).rejects.toMatchObject({ provider: 'ai-sdk', fault, retryable, status });
  });

  it.each(['hang', 'stall'] as const)('times out after the fault %s', async (fault) => {
    server.failNext(fault);
    await expect(collect(stream({ timeoutMs: 150 }))).rejects.toMatchObject({ fault: 'timeout' });
  });

  it.each(['truncate', 'garbage', 'break'] as const)('fails a reply with the fault %s', async (fault) => {
    server.failNext(fault);
    await expect(collect(stream())).rejects.toMatchObject({ name: 'ProviderError' });
  });

  it('ends without an error and disconnects when the reply is aborted', async () => {
    server.failNext('stall');
    const controller = new AbortController();
    const before = server.requests.length;
    const reading = collect(stream({ signal: controller.signal }));
    await until(() => server.requests.length > before);
    controller.abort();
    expect(await reading).toEqual([]);
    await until(() => server.requests.at(-1)?.aborted === true);
  });

  providerConformance(
    { describe, it },
    {
      name: `aiSdk ${version}`,
      kind: 'llm',
      troubles: ['refusal', 'unavailable', 'garbage'],
      async open() {
        const own = await OpenAiServer.start();
        own.reply(...Array<{ text: string }>(40).fill({ text: 'Good morning, what can I do for you?' }));
        const faults: Partial<Record<string, OpenAiFault>> = {
          refusal: { status: 401 },
          unavailable: { status: 503 },
          garbage: 'garbage',
        };
        return {
          host: new URL(own.url).host,
          provider: (host) => aiSdk(create(`http://${host}/v1`, 'key')('gpt-x')),
          trouble: (...troubles) => own.failNext(...troubles.map((each) => faults[each] ?? 'hang')),
          close: () => own.close(),
        };
      },
    },
  );
});
