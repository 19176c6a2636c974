import type { LlmEvent, LlmTool } from '@va/core/adapter';
import { type OpenAiOptions, openai, openaiRealtime } from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';
import { OpenAiServer, RealtimeServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { collect, common, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const book: LlmTool = { name: 'book', description: 'Books a table', parameters: { type: 'object', properties: {} } };

async function ask(config: object, options: OpenAiOptions = {}, tools: readonly LlmTool[] = [book]) {
  const server = await OpenAiServer.start();
  closers.push(() => server.close());
  const model = openai({ apiKey: 'sk-test', baseURL: server.url, ...options });
  const events: LlmEvent[] = await collect(
    model.stream({
      ...common(),
      config: { provider: model.id, messages: [], tools: [], ...config },
      messages: [{ role: 'user', content: 'Hello' }],
      tools,
    }),
  );
  return {
    body: server.requests[0]?.body ?? {},
    text: events.map((event) => ('text' in event ? event.text : '')).join(''),
  };
}

describe('settings of openai', () => {
  it('are sent under the names of the service, with those of the host', async () => {
    const settings = {
      top_p: 0.9,
      frequency_penalty: 0.5,
      presence_penalty: -0.5,
      max_completion_tokens: 300,
      parallel_tool_calls: false,
    };
    const { body } = await ask(
      { ...settings, temperature: 0.3 },
      { serviceTier: 'priority', store: false, metadata: { team: 'voice' } },
    );
    expect(body).toMatchObject({
      ...settings,
      temperature: 0.3,
      service_tier: 'priority',
      store: false,
      metadata: { team: 'voice' },
    });
  });

  it('pass options on that the adapter does not know', async () => {
    const { body } = await ask({ top_p: 0.5, options: { top_p: 1, chat_template_kwargs: { thinking: false } } });
    expect(body).toMatchObject({ top_p: 0.5, chat_template_kwargs: { thinking: false } });
  });

  it('omit what the service rejects without tools', async () => {
    const { body } = await ask({ parallel_tool_calls: false }, {}, []);
    expect(body).not.toHaveProperty('parallel_tool_calls');
  });

  it('are dropped one by one when invalid', async () => {
    const { body } = await ask({ top_p: 7, max_completion_tokens: 300 });
    expect(body).toMatchObject({ max_completion_tokens: 300 });
    expect(body).not.toHaveProperty('top_p');
  });

  it.each([
    ['gpt-5', 'minimal', 'minimal'],
    ['gpt-5-mini-2025-08-07', 'minimal', 'minimal'],
    ['gpt-5.1', undefined, undefined],
    ['gpt-5.2', undefined, undefined],
    ['gpt-5.4-mini', undefined, undefined],
    ['gpt-5.5', 'none', 'none'],
    ['gpt-5.6-luna', 'none', 'none'],
    ['gpt-5-pro', undefined, undefined],
    ['gpt-5.3-chat-latest', undefined, undefined],
    ['gpt-4.1-mini', undefined, undefined],
  ])('request the lowest effort that %s accepts', async (model, withTools, without) => {
    expect((await ask({ model })).body.reasoning_effort).toBe(withTools);
    expect((await ask({ model }, {}, [])).body.reasoning_effort).toBe(without);
  });

  it.each([
    ['gpt-5', 'high', 'high'],
    ['gpt-5.4', 'low', undefined],
    ['gpt-5.6', 'low', 'none'],
  ])('of %s with tools and the effort %s are accepted by the service', async (model, effort, sent) => {
    const { body, text } = await ask({ model, reasoning_effort: effort, temperature: 0.2 });
    expect(body.reasoning_effort).toBe(sent);
    expect(text).toBe('Okay.');
  });
});

describe('several services with OpenAI’s API', () => {
  it('have their own names, keys and default models', async () => {
    const groq = openai({ id: 'groq', baseURL: 'http://127.0.0.1:1', apiKey: 'gsk', defaultModel: 'llama' });
    expect(groq).toMatchObject({ id: 'groq', vendor: 'groq' });
    expect(openai()).toMatchObject({ id: 'openai', vendor: 'openai' });
    expect(openai({ id: 'openai-eu', vendor: 'openai' })).toMatchObject({ id: 'openai-eu', vendor: 'openai' });
    expect((await ask({}, { id: 'groq', defaultModel: 'llama' })).body.model).toBe('llama');
  });

  it('are named in errors, and do not receive the key of OpenAI', async () => {
    const { OPENAI_API_KEY: saved } = process.env;
    process.env.OPENAI_API_KEY = 'sk-openai';
    const other = openai({ id: 'groq', baseURL: 'http://127.0.0.1:1/v1' });
    const request = { ...common(), config: { provider: 'groq', messages: [], tools: [] }, messages: [], tools: [] };
    await expect(collect(other.stream(request))).rejects.toMatchObject({ provider: 'groq', fault: 'auth' });
    await expect(collect(other.stream({ ...request, apiKey: 'own' }))).rejects.toMatchObject({
      provider: 'groq',
      fault: 'connection',
    });
    if (saved === undefined) delete process.env.OPENAI_API_KEY;
    else process.env.OPENAI_API_KEY = saved;
  });

  it('can be speech-to-speech models too, without the aliases of the first', () => {
    expect(xaiRealtime()).toMatchObject({ id: 'xai_realtime', vendor: 'xai', aliases: ['vendor_realtime'] });
    const second = xaiRealtime({ id: 'xai_eu' });
    expect(second).toMatchObject({ id: 'xai_eu', vendor: 'xai_eu' });
    expect(second).not.toHaveProperty('aliases');
  });
});

describe('interleaved chunks of tool calls', () => {
  it('are assembled by their index', async () => {
    const server = await OpenAiServer.start({ toolCalls: 'interleaved' });
    closers.push(() => server.close());
    const toolCalls = [
      { id: 'call_1', name: 'book', arguments: '{"people":4}' },
      { id: 'call_2', name: 'notify', arguments: '{"to":"the kitchen"}' },
    ];
    server.reply({ toolCalls });
    const events = await collect(
      openai({ apiKey: 'key', baseURL: server.url }).stream({
        ...common(),
        config: { provider: 'openai', messages: [], tools: [] },
        messages: [],
        tools: [book],
      }),
    );
    expect(events).toEqual(toolCalls.map((call) => ({ type: 'tool-call', call })));
  });
});

describe('settings of realtime models', () => {
  const format = { encoding: 'pcmu', sampleRateHz: 8_000 } as const;
  const sessionOf = async (dialect: 'openai' | 'xai', config: object) => {
    const server = await RealtimeServer.start({ dialect });
    const model = (dialect === 'openai' ? openaiRealtime : xaiRealtime)({ apiKey: 'key', baseUrl: server.url });
    const session = model.open({
      ...common(),
      config: { provider: model.id, messages: [], tools: [], ...config },
      instructions: '',
      tools: [],
      history: [],
      inputFormat: format,
      outputFormat: format,
    });
    closers.push(
      () => server.close(),
      () => session.close(),
    );
    await until(() => server.connections[0]?.session.audio !== undefined);
    return server.connections[0]?.session;
  };

  it('are sent to OpenAI under its names', async () => {
    const config = { speed: 1.2, noise_reduction: 'far_field', max_output_tokens: 500, reasoning_effort: 'low' };
    expect(await sessionOf('openai', { ...config, language: 'nl-NL' })).toMatchObject({
      audio: {
        input: { noise_reduction: { type: 'far_field' }, transcription: { language: 'nl' }, turn_detection: null },
        output: { speed: 1.2 },
      },
      max_output_tokens: 500,
      reasoning: { effort: 'low' },
    });
  });

  it('are sent to xAI under its names', async () => {
    expect(await sessionOf('xai', { reasoning_effort: 'none', language: 'nl' })).toMatchObject({
      reasoning: { effort: 'none' },
      audio: { input: { transcription: { language_hint: 'nl' } } },
    });
  });
});
