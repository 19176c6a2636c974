import { createAnthropic as anthropicV4 } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI as googleV4 } from '@ai-sdk/google';
import type { ChatMessage, LlmEvent } from '@va/core/adapter';
import { type AiSdkModel, type AiSdkOptions, aiSdk } from '@va/providers/ai-sdk';
import { type ChatDialectName, ChatServer } from '@va/testkit/provider-servers';
import { createAnthropic as anthropicV2 } from 'ai-sdk-v2-anthropic';
import { createGoogleGenerativeAI as googleV2 } from 'ai-sdk-v2-google';
import { createAnthropic as anthropicV3 } from 'ai-sdk-v3-anthropic';
import { createGoogleGenerativeAI as googleV3 } from 'ai-sdk-v3-google';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, common, until } from '../options.ts';

type Create = (baseURL: string, apiKey: string) => (modelId: string) => AiSdkModel;
type Vendor = readonly [dialect: ChatDialectName, version: string, create: Create, modelId: string];

const claude = 'claude-haiku-4-5';
const gemini = 'gemini-3-flash';
const vendors: readonly Vendor[] = [
  ['anthropic', 'v2', (baseURL, apiKey) => anthropicV2({ baseURL, apiKey }), claude],
  ['anthropic', 'v3', (baseURL, apiKey) => anthropicV3({ baseURL, apiKey }), claude],
  ['anthropic', 'v4', (baseURL, apiKey) => anthropicV4({ baseURL, apiKey }), claude],
  ['generate-content', 'v2', (baseURL, apiKey) => googleV2({ baseURL, apiKey }), gemini],
  ['generate-content', 'v3', (baseURL, apiKey) => googleV3({ baseURL, apiKey }), gemini],
  ['generate-content', 'v4', (baseURL, apiKey) => googleV4({ baseURL, apiKey }), gemini],
];

const parameters = { type: 'object', properties: { people: { type: 'integer' } } };
const tools = [{ name: 'book', description: 'Books a table', parameters }];
const call = { id: 'call_1', name: 'book', input: { people: 4 } };

describe.each(vendors)('aiSdk › %s %s', (dialect, version, create, modelId) => {
  let server: ChatServer;
  beforeAll(async () => {
    server = await ChatServer.start(dialect);
  });
  afterAll(() => server.close());

  function stream(
    options: AiSdkOptions & { messages?: readonly ChatMessage[]; signal?: AbortSignal; config?: object } = {},
  ): AsyncIterable<LlmEvent> {
    const { messages = [{ role: 'user', content: 'Hello' }], signal, config, ...rest } = options;
    const model = aiSdk((id) => create(server.url, 'sk-host')(id), { defaultModel: modelId, ...rest });
    return model.stream({
      ...common(signal),
      config: { provider: 'ai-sdk', messages: [], tools: [], ...config },
      messages,
      tools,
    });
  }

  /** Reads a stream that fails: the text before the failure, and the error. */
  async function broken(events: AsyncIterable<LlmEvent>): Promise<{ text: string; error: unknown }> {
    let text = '';
    try {
      for await (const event of events) if (event.type === 'text') text += event.text;
    } catch (error) {
      return { text, error };
    }
    throw new Error('The reply did not fail.');
  }

  it('streams text, then the tool call, then the usage with its cached tokens', async () => {
    expect(create(server.url, 'k')('m').specificationVersion).toBe(version);
    server.reply({ text: 'One moment please.', toolCalls: [call], cachedTokens: 40 });
    const events = await collect(stream());
    const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toBe('One moment please.');
    const called = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    expect(called).toEqual([{ id: expect.any(String), name: 'book', arguments: expect.any(String) }]);
    expect(JSON.parse(called[0]?.arguments ?? '')).toEqual({ people: 4 });
    expect(events.at(-1)).toEqual({
      type: 'usage',
      usage: { inputTokens: 100, outputTokens: 13, cachedInputTokens: 40 },
    });
  });

  it('sends the result of a tool that the model called', async () => {
    server.reply({ toolCalls: [call] }, { text: 'Booked.' });
    const asked: ChatMessage[] = [
      { role: 'system', content: 'You book tables.' },
      { role: 'user', content: 'For four' },
    ];
    const [event] = await collect(stream({ messages: asked }));
    if (event?.type !== 'tool-call') throw new Error('The model did not call the tool.');
    const result = JSON.stringify({ table: 7 });
    const answered: ChatMessage[] = [
      ...asked,
      { role: 'assistant', content: '', toolCalls: [event.call] },
      { role: 'tool', toolCallId: event.call.id, content: result },
    ];
    const events = await collect(stream({ messages: answered }));
    expect(events[0]).toEqual({ type: 'text', text: 'Booked.' });
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('You book tables.');
    expect(sent).toContain(JSON.stringify(result).slice(1, -1));
  });

  it('continues a reply that broke off, and sends instructions given in mid-call', async () => {
    server.reply({ text: 'It is open.' });
    const messages: ChatMessage[] = [
      { role: 'system', content: 'You book tables.' },
      { role: 'assistant', content: 'Good morning.' },
      { role: 'user', content: 'Are you open?' },
      { role: 'system', content: 'The caller is a member.' },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: 'Let me see.' },
    ];
    const events = await collect(stream({ messages }));
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(0);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('The caller is a member.');
  });

  it('answers a conversation that has only instructions', async () => {
    server.reply({ text: 'Hello.' });
    const events = await collect(stream({ messages: [{ role: 'system', content: 'Greet the caller.' }] }));
    expect(events[0]).toEqual({ type: 'text', text: 'Hello.' });
  });

  it.each([
    [401, 'auth', false],
    [400, 'invalid_request', false],
    [429, 'unavailable', true],
    [500, 'unavailable', true],
    [529, 'unavailable', true],
  ])('classifies HTTP %i', async (status, fault, retryable) => {
    server.failNext({ status });
    await expect(collect(stream())).rejects.toMatchObject({ name: 'ProviderError', fault, retryable, status });
  });

  it('keeps the text of a reply that ends with an error', async () => {
    server.reply({ text: 'Let me see.' });
    const type = dialect === 'anthropic' ? 'overloaded_error' : 'UNAVAILABLE';
    server.failNext({ streams: { status: 503, type, message: 'Overloaded' } });
    const { text, error } = await broken(stream());
    expect(text).toBe('Let ');
    expect(error).toMatchObject({ name: 'ProviderError', provider: 'ai-sdk', fault: 'unavailable', retryable: true });
  });

  it('fails a reply whose first event is an error', async () => {
    const type = dialect === 'anthropic' ? 'overloaded_error' : 'UNAVAILABLE';
    server.failNext({ streams: { status: 503, type, message: 'Overloaded' }, before: 'text' });
    const { text, error } = await broken(stream());
    expect(text).toBe('');
    expect(error).toMatchObject({ name: 'ProviderError', retryable: true });
  });

  it.each(['truncate', 'break', 'garbage'] as const)('keeps the text before the fault %s', async (fault) => {
    server.reply({ text: 'Let me see.' });
    server.failNext(fault);
    const { text, error } = await broken(stream());
    expect('Let me see.'.startsWith(text)).toBe(true);
    expect(error).toMatchObject({ name: 'ProviderError' });
  });

  it.each(['hang', 'stall'] as const)('times out after the fault %s', async (fault) => {
    server.failNext(fault);
    await expect(collect(stream({ timeoutMs: 150 }))).rejects.toMatchObject({ fault: 'timeout' });
  });

  it('ends without an error and disconnects when it is aborted', async () => {
    server.failNext('stall');
    const controller = new AbortController();
    const before = server.requests.length;
    const reading = collect(stream({ signal: controller.signal }));
    await until(() => server.requests.length > before);
    controller.abort();
    await reading;
    await until(() => server.requests.at(-1)?.aborted === true);
  });
});
