import { OpenAiServer } from '@va/testkit/provider-servers';
import { OpenAI } from 'openai';
import { afterEach, describe, expect, it } from 'vitest';

const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function connect(): Promise<{ server: OpenAiServer; client: OpenAI }> {
  const server = await OpenAiServer.start();
  servers.push(server);
  return { server, client: new OpenAI({ apiKey: 'key', baseURL: server.url, maxRetries: 0 }) };
}

const messages = [{ role: 'user' as const, content: 'Hello' }];
const toolCalls = [
  { id: 'c1', name: 'look_up', arguments: '{"day":"Monday"}' },
  { id: 'c2', name: 'note', arguments: '{"text":"x"}' },
];

describe('OpenAiServer with the vendor’s own client', () => {
  it('responds to a request without streaming', async () => {
    const { server, client } = await connect();
    server.reply({ text: 'Good morning.' }, { toolCalls });
    const said = await client.chat.completions.create({ model: 'm', messages });
    expect(said).toMatchObject({ choices: [{ message: { content: 'Good morning.' } }], usage: { prompt_tokens: 10 } });
    const called = await client.chat.completions.create({ model: 'm', messages });
    expect(called.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'c1' }, {}] },
    });
  });

  it('streams tool calls one after the other, and the usage on request', async () => {
    const { server, client } = await connect();
    server.reply({ toolCalls });
    const stream = client.chat.completions.stream({ model: 'm', messages, stream_options: { include_usage: true } });
    const completion = await stream.finalChatCompletion();
    expect(completion.usage).toMatchObject({ total_tokens: 11 });
    expect(
      completion.choices[0]?.message.tool_calls?.map((call) => call.type === 'function' && call.function.arguments),
    ).toEqual(toolCalls.map(({ arguments: args }) => args));
  });

  it('lists models', async () => {
    const { client } = await connect();
    expect((await client.models.list()).data.map(({ id }) => id)).toContain('gpt-4.1-mini');
  });

  it('rejects what the vendor rejects for GPT-5 models', async () => {
    const { client } = await connect();
    const tools = [{ type: 'function' as const, function: { name: 'f', parameters: { type: 'object' } } }];
    const create = client.chat.completions.create.bind(client.chat.completions);
    await expect(create({ model: 'gpt-5', messages, temperature: 0.2 })).rejects.toThrow('temperature');
    await expect(create({ model: 'gpt-5.4', messages, tools, reasoning_effort: 'none' })).rejects.toThrow('tools');
    await expect(create({ model: 'gpt-5.6', messages, tools })).rejects.toThrow('reasoning_effort');
  });
});
