import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { ChatMessage, LlmEvent } from '@va/core/adapter';
import { type OpenAiOptions, openai } from '@va/providers/openai';
import { OpenAiServer } from '@va/testkit/provider-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, common, until } from '../options.ts';

let server: OpenAiServer;
beforeAll(async () => {
  server = await OpenAiServer.start();
});
afterAll(() => server.close());

const hello: ChatMessage[] = [{ role: 'user', content: 'Hello' }];
const tools = [{ name: 'book', description: 'Books a table', parameters: { type: 'object', properties: {} } }];

function stream(
  options: Partial<OpenAiOptions> & { messages?: ChatMessage[]; signal?: AbortSignal; config?: object } = {},
): AsyncIterable<LlmEvent> {
  const { messages = hello, signal, config, ...rest } = options;
  return openai({ apiKey: 'sk-test', baseURL: server.url, ...rest }).stream({
    ...common(signal),
    config: { provider: 'openai', messages: [], tools: [], ...config },
    messages,
    tools,
  });
}

/** Resolves once the HTTP client of Node has received a whole response of this server, and can reuse its connection. */
async function nextResponseOf(url: string): Promise<void> {
  const { origin } = new URL(url);
  await new Promise<void>((resolve) => {
    const note = (message: unknown): void => {
      if ((message as { request: { origin: string } }).request.origin !== origin) return;
      unsubscribe('undici:request:trailers', note);
      resolve();
    };
    subscribe('undici:request:trailers', note);
  });
  // The client releases the connection later in the same turn of the event loop.
  await nextTurn();
}

describe('openai', () => {
  it('streams the text of a reply as it arrives', async () => {
    server.reply({ text: 'Good morning to you.' });
    expect(await collect(stream())).toEqual(
      ['Good ', 'morning ', 'to ', 'you.'].map((text) => ({ type: 'text', text })),
    );
  });

  it('reports the tokens of a reply if includeUsage is set', async () => {
    server.reply({ text: 'Good morning.' });
    const events = await collect(stream({ includeUsage: true }));
    expect(events.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 10, outputTokens: 2 } });
    expect(server.requests.at(-1)?.body.stream_options).toEqual({ include_usage: true });
  });

  it('does not request the tokens of another service by default', async () => {
    await collect(stream());
    expect(server.requests.at(-1)?.body).not.toHaveProperty('stream_options');
  });

  it('connects ahead, and sends the first request on that connection', async () => {
    const fresh = await OpenAiServer.start();
    const model = openai({ apiKey: 'sk-test', baseURL: fresh.url });
    const options = { ...common(), config: { provider: 'openai', messages: [], tools: [] } };
    const responded = nextResponseOf(fresh.url);
    model.connect?.(options);
    await responded;
    expect(fresh.connected).toHaveLength(1);
    await collect(model.stream({ ...options, messages: hello, tools: [] }));
    expect(fresh.requests[0]?.port).toBe(fresh.connected[0]);
    await fresh.close();
  });

  it('ignores a failure of connecting ahead', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): number => unhandled.push(reason);
    process.on('unhandledRejection', note);
    let refused = 0;
    const refusing = createServer((socket) => {
      refused += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const { port } = refusing.address() as AddressInfo;
    const model = openai({ apiKey: 'sk-test', baseURL: `http://127.0.0.1:${port}/v1` });
    const options = { ...common(), config: { provider: 'openai', messages: [], tools: [] } };
    model.connect?.({ ...options, signal: AbortSignal.abort() });
    openai({ id: 'keyless', baseURL: `http://127.0.0.1:${port}/v1` }).connect?.(options);
    model.connect?.(options);
    await until(() => refused > 0);
    await new Promise((resolve) => refusing.close(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    expect(refused).toBe(1);
  });

  it('emits parallel tool calls once each, complete, in order', async () => {
    const toolCalls = [
      { id: 'call_1', name: 'book', arguments: '{"people":4,"day":"Friday"}' },
      { id: 'call_2', name: 'notify', arguments: '{"to":"the kitchen"}' },
      { id: 'call_3', name: 'ping', arguments: '' },
    ];
    server.reply({ text: 'One moment.', toolCalls });
    const events = await collect(stream());
    expect(events.filter(({ type }) => type === 'tool-call')).toEqual(
      toolCalls.map((call) => ({ type: 'tool-call', call })),
    );
  });

  it('sends the key, the headers, the model, the tools and the conversation', async () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'You book tables.' },
      { role: 'user', content: 'For four' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'book', arguments: '{}' }] },
      { role: 'tool', toolCallId: 'call_1', content: 'done' },
    ];
    await collect(stream({ messages, headers: { 'x-team': 'voice' }, config: { model: 'gpt-x', temperature: 0.2 } }));
    const request = server.requests.at(-1);
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sk-test', 'x-team': 'voice' });
    expect(request?.body).toEqual({
      model: 'gpt-x',
      stream: true,
      temperature: 0.2,
      tools: [{ type: 'function', function: tools[0] }],
      messages: [
        { role: 'system', content: 'You book tables.' },
        { role: 'user', content: 'For four' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'book', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'done' },
      ],
    });
  });

  it('uses the key of the organization, and OPENAI_ORG_ID only with the key of the host', async () => {
    process.env.OPENAI_ORG_ID = 'org-host';
    const model = openai({ apiKey: 'sk-host', baseURL: server.url });
    const request = { ...common(), config: { provider: 'openai', messages: [], tools: [] }, messages: hello, tools };
    for (const own of [{}, { apiKey: 'sk-customer' }, { apiKey: 'sk-other' }, {}]) {
      await collect(model.stream({ ...request, ...own }));
    }
    delete process.env.OPENAI_ORG_ID;
    const sent = server.requests
      .slice(-4)
      .map(({ headers }) => [headers.authorization, headers['openai-organization']]);
    expect(sent).toEqual([
      ['Bearer sk-host', 'org-host'],
      ['Bearer sk-customer', undefined],
      ['Bearer sk-other', undefined],
      ['Bearer sk-host', 'org-host'],
    ]);
  });

  it('needs no key of the host when the customer has one', async () => {
    const { OPENAI_API_KEY: saved } = process.env;
    delete process.env.OPENAI_API_KEY;
    const keyless = openai({ baseURL: server.url });
    const config = { provider: 'openai', messages: [], tools: [] };
    await collect(keyless.stream({ ...common(), apiKey: 'sk-customer', config, messages: hello, tools: [] }));
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer sk-customer');
    if (saved !== undefined) process.env.OPENAI_API_KEY = saved;
  });

  it.each([
    [{ status: 401 }, 'auth', false],
    [{ status: 429, code: 'insufficient_quota' }, 'quota', false],
    [{ status: 429, code: 'rate_limit_exceeded' }, 'unavailable', true],
    [{ status: 400 }, 'invalid_request', false],
    [{ status: 500 }, 'unavailable', true],
  ] as const)('classifies the error response %j', async (fault, expected, retryable) => {
    server.failNext(fault);
    await expect(collect(stream())).rejects.toMatchObject({
      provider: 'openai',
      fault: expected,
      retryable,
      status: fault.status,
    });
  });

  it('removes a key that the service repeats from its errors', async () => {
    server.failNext({ status: 401, repeatsKey: true });
    const error = await collect(stream()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fault: 'auth', message: expect.stringContaining('for Bearer [redacted]') });
    expect(inspect(error, { depth: 10 })).not.toContain('sk-test');
  });

  it.each(['hang', 'stall'] as const)('times out a reply with the fault %s', async (fault) => {
    server.failNext(fault);
    await expect(collect(stream({ timeoutMs: 150 }))).rejects.toMatchObject({ fault: 'timeout' });
  });

  it.each([
    ['break', 'connection'],
    ['truncate', 'connection'],
    ['garbage', 'protocol'],
  ] as const)('fails a reply with the fault %s', async (fault, expected) => {
    server.failNext(fault);
    await expect(collect(stream())).rejects.toMatchObject({ fault: expected });
  });

  it('fails with connection when nothing listens', async () => {
    await expect(collect(stream({ baseURL: 'http://127.0.0.1:9/v1' }))).rejects.toMatchObject({ fault: 'connection' });
  });

  it('ends early, without an error, and disconnects when the reply is aborted', async () => {
    server.failNext('stall');
    const reply = new AbortController();
    const reading = collect(stream({ signal: reply.signal }));
    const before = server.requests.length;
    await until(() => server.requests.length > before);
    reply.abort();
    expect(await reading).toEqual([]);
    await until(() => server.requests.at(-1)?.aborted === true);
  });

  it('fails without a key', async () => {
    const { OPENAI_API_KEY: saved } = process.env;
    delete process.env.OPENAI_API_KEY;
    const keyless = openai({ baseURL: server.url }).stream({
      ...common(),
      config: { provider: 'openai', messages: [], tools: [] },
      messages: hello,
      tools: [],
    });
    await expect(collect(keyless)).rejects.toMatchObject({
      fault: 'auth',
      message: expect.stringContaining('OPENAI_API_KEY'),
    });
    if (saved !== undefined) process.env.OPENAI_API_KEY = saved;
  });
});
