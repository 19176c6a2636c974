import { type ElevenLabsBehaviour, ElevenLabsServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';

const servers: ElevenLabsServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(behaviour?: Partial<ElevenLabsBehaviour>): Promise<ElevenLabsServer> {
  const server = await ElevenLabsServer.start(behaviour);
  servers.push(server);
  return server;
}

interface Client {
  readonly messages: Record<string, unknown>[];
  readonly closed: Promise<number>;
  send(message: object): void;
}

async function connect(server: ElevenLabsServer, query = 'model_id=m&output_format=ulaw_8000'): Promise<Client> {
  const socket = new WebSocket(`${server.url}/v1/text-to-speech/voice/multi-stream-input?${query}`, {
    headers: { 'xi-api-key': 'key' },
  });
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { messages, closed, send: (message) => socket.send(JSON.stringify(message)) };
}

describe('ElevenLabsServer', () => {
  it('rejects a sixth context with max_active_conversations, and closes the connection', async () => {
    const { messages, closed, send } = await connect(await start());
    for (let at = 0; at < 6; at++) send({ text: ' ', context_id: `context-${at}` });
    expect(await closed).toBe(1008);
    expect(messages).toMatchObject([{ error: 'max_active_conversations', code: 1008 }]);
  });

  it('counts closed contexts until they have drained', async () => {
    const server = await start({ closedContexts: 'held' });
    const { messages, closed, send } = await connect(server);
    for (let at = 0; at < 6; at++) {
      send({ text: ' ', context_id: `context-${at}` });
      send({ context_id: `context-${at}`, close_context: true });
    }
    expect(await closed).toBe(1008);
    expect(messages).toMatchObject([{ error: 'max_active_conversations' }]);
  });

  it.each([
    ['drain', 2_880],
    ['at-once', 2_880],
  ] as const)('speaks a context and ends it with ending %s', async (closedContexts, bytes) => {
    const { messages, send } = await connect(await start({ closedContexts }));
    send({ text: 'See you. ', context_id: 'one', flush: true });
    send({ context_id: 'one', close_context: true });
    await vi.waitFor(() => expect(messages.at(-1)).toEqual({ contextId: 'one', isFinal: true }));
    const audio = messages.flatMap((message) => (typeof message.audio === 'string' ? [message.audio] : []));
    expect(audio.reduce((sum, each) => sum + Buffer.from(each, 'base64').length, 0)).toBe(bytes);
    expect(messages[0]?.normalizedAlignment).toEqual(messages[0]?.alignment);
  });

  it.each([
    ['an unknown output format', 'model_id=m&output_format=pcm_11025'],
    ['eleven_v3', 'model_id=eleven_v3&output_format=ulaw_8000'],
  ])('rejects %s', async (_, query) => {
    await expect(connect(await start(), query)).rejects.toThrow('403');
  });

  it('speaks linear samples at the rate that the client requests', async () => {
    const { messages, send } = await connect(await start(), 'model_id=m&output_format=pcm_22050');
    send({ text: 'Yes. ', context_id: 'one', flush: true });
    await vi.waitFor(() => expect(messages).toHaveLength(1));
    expect(Buffer.from(String(messages[0]?.audio), 'base64').length).toBe(5 * 0.04 * 22_050 * 2);
  });

  it('rejects a connection without a key', async () => {
    const server = await start();
    const socket = new WebSocket(`${server.url}/v1/text-to-speech/voice/multi-stream-input`);
    const refused = new Promise<Error>((resolve) => socket.once('error', resolve));
    expect((await refused).message).toContain('401');
  });
});
