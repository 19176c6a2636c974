import { once } from 'node:events';
import { type RealtimeDialectName, RealtimeServer, type RealtimeServerOptions } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

type Message = Record<string, unknown> & { type: string };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const audio = Buffer.alloc(1_600, 0x55).toString('base64');
const described = { openai: { type: 'realtime', instructions: 'Hi' }, xai: { voice: 'ara', instructions: 'Hi' } };

async function connect(dialect: RealtimeDialectName, options: Partial<RealtimeServerOptions> = {}) {
  const server = await RealtimeServer.start({ dialect, ...options });
  const socket = new WebSocket(`${server.url}/realtime?model=m`, { headers: { authorization: 'Bearer key' } });
  const received: Message[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as Message));
  closers.push(
    () => server.close(),
    () => socket.terminate(),
  );
  await new Promise((resolve) => socket.once('open', resolve));
  const send = (...events: object[]) => {
    for (const event of events) socket.send(JSON.stringify(event));
  };
  /** Resolves once the events received so far fulfil the condition. */
  const until = async (isFulfilled: () => boolean): Promise<void> => {
    while (!isFulfilled()) await once(socket, 'message');
  };
  /** Resolves with the first event of this name. */
  const next = async (type: string): Promise<Message> => {
    for (;;) {
      const found = received.find((message) => message.type === type);
      if (found !== undefined) return found;
      await once(socket, 'message');
    }
  };
  send({ type: 'session.update', session: described[dialect] });
  await next('session.updated');
  return { server, send, next, until, received };
}

describe.each(['openai', 'xai'] as const)('RealtimeServer of %s', (dialect) => {
  it('rejects a second response while one is active', async () => {
    const { send, next } = await connect(dialect, { replies: [{ text: 'One two.', holdAfterWords: 1 }] });
    send({ type: 'response.create' }, { type: 'response.create', event_id: 'second' });
    expect((await next('error')).error).toMatchObject({
      type: 'invalid_request_error',
      code: 'conversation_already_has_active_response',
      event_id: 'second',
    });
    send({ type: 'response.cancel' });
    expect((await next('response.done')).response).toMatchObject({ status: 'cancelled' });
  });

  it('rejects a cancel without a response', async () => {
    const { send, next } = await connect(dialect);
    send({ type: 'response.cancel', event_id: 'idle' });
    expect((await next('error')).error).toMatchObject({ code: 'response_cancel_not_active', event_id: 'idle' });
  });

  it('commits appended audio as a turn, and rejects an empty turn', async () => {
    const { send, next } = await connect(dialect, { transcripts: ['hello'] });
    send({ type: 'input_audio_buffer.append', audio }, { type: 'input_audio_buffer.commit' });
    const { item_id } = await next('input_audio_buffer.committed');
    expect(item_id).toBeTypeOf('string');
    await next('conversation.item.input_audio_transcription.completed');
    send({ type: 'input_audio_buffer.append', audio }, { type: 'input_audio_buffer.clear' });
    send({ type: 'input_audio_buffer.commit' });
    expect((await next('error')).error).toMatchObject({ code: 'input_audio_buffer_commit_empty' });
  });

  it('rejects a truncation beyond the audio of an item', async () => {
    const { server, send, next } = await connect(dialect, { replies: [{ text: 'Yes.' }] });
    send({ type: 'response.create' });
    const { item_id } = await next('response.output_audio.delta');
    await next('response.done');
    send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 161 });
    expect((await next('error')).error).toMatchObject({ code: 'invalid_value' });
    send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 160 });
    await next('conversation.item.truncated');
    expect(server.connections[0]?.items[0]).toMatchObject({ audioMs: 160, text: '' });
  });

  it('rejects the result of an unknown call, and as OpenAI a session in xAI’s dialect', async () => {
    const { send, next, received } = await connect(dialect);
    const item = { type: 'function_call_output', call_id: 'call-1', output: '{}' };
    send({ type: 'conversation.item.create', item });
    expect((await next('error')).error).toMatchObject({ code: 'invalid_tool_call_id' });
    received.length = 0;
    send({ type: 'session.update', session: described[dialect === 'openai' ? 'xai' : 'openai'] });
    // xAI accepts OpenAI's description too.
    const answer = await next(dialect === 'openai' ? 'error' : 'session.updated');
    if (dialect === 'openai') expect(answer.error).toMatchObject({ type: 'invalid_request_error' });
  });

  it('rejects the truncation of an item without audio', async () => {
    const { send, next } = await connect(dialect);
    const item = { id: 'mine', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] };
    send({ type: 'conversation.item.create', item });
    send({ type: 'conversation.item.truncate', item_id: 'mine', content_index: 0, audio_end_ms: 0 });
    expect((await next('error')).error).toMatchObject({ code: 'unsupported_content_type' });
  });

  it('keeps the ids that clients assign to items, and sends complete items', async () => {
    const { send, next } = await connect(dialect);
    const item = { id: 'mine', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] };
    send({ type: 'conversation.item.create', item }, { type: 'conversation.item.retrieve', item_id: 'mine' });
    for (const type of ['conversation.item.added', 'conversation.item.done', 'conversation.item.retrieved']) {
      expect((await next(type)).item).toEqual({ ...item, object: 'realtime.item', status: 'completed' });
    }
  });

  it('sends a response with its items, usage and metadata, and its cancellation', async () => {
    const { send, next } = await connect(dialect, { replies: [{ text: 'One two.', holdAfterWords: 1 }] });
    send({ type: 'response.create', response: { metadata: { topic: 'test' } } });
    await next('response.output_audio.delta');
    send({ type: 'response.cancel' });
    expect((await next('response.done')).response).toMatchObject({
      status: 'cancelled',
      status_details: { type: 'cancelled', reason: 'client_cancelled' },
      metadata: { topic: 'test' },
      output: [{ role: 'assistant', status: 'incomplete', content: [{ type: 'output_audio', transcript: 'One ' }] }],
      usage: { input_tokens: 10, output_tokens: 4 },
    });
    expect(await next('response.output_audio_transcript.done')).toMatchObject({ transcript: 'One ' });
    await next('response.content_part.done');
    await next('rate_limits.updated');
  });

  it('detects turns at the client’s request', async () => {
    const { send, next } = await connect(dialect, { transcripts: ['hello'] });
    const input = { format: { type: 'audio/pcmu' }, turn_detection: { type: 'server_vad' } };
    send({ type: 'session.update', session: { ...described[dialect], audio: { input } } });
    const silence = Buffer.alloc(4_800, 0xff).toString('base64');
    send({ type: 'input_audio_buffer.append', audio }, { type: 'input_audio_buffer.append', audio: silence });
    const { item_id } = await next('input_audio_buffer.speech_started');
    expect(await next('input_audio_buffer.speech_stopped')).toMatchObject({ item_id });
    expect(await next('input_audio_buffer.committed')).toMatchObject({ item_id });
    await next('response.done');
  });
});

describe('RealtimeServer of xai, with messages of its usual clients', () => {
  it('sends session.created, and accepts a session with the type that LiveKit’s client sends', async () => {
    const { send, next, received } = await connect('xai');
    expect(received.map(({ type }) => type).slice(0, 4)).toContain('session.created');
    send({ type: 'session.update', event_id: 'typed', session: { type: 'realtime', voice: 'ara' } });
    send({ type: 'response.create' });
    await next('response.done');
    expect(received.filter(({ type }) => type === 'error')).toEqual([]);
    expect(received.filter(({ type }) => type === 'session.updated')).toHaveLength(2);
  });

  it('replaces the transcript of a turn until it is complete', async () => {
    const { send, until, received } = await connect('xai', { transcripts: ['good morning'] });
    send({ type: 'input_audio_buffer.append', audio }, { type: 'input_audio_buffer.commit' });
    const transcripts = (): Message[] => received.filter(({ type }) => type.includes('input_audio_transcription'));
    await until(() => transcripts().length >= 3);
    expect(transcripts().map(({ type, transcript, status }) => [type.split('.').at(-1), transcript, status])).toEqual([
      ['updated', 'good m', undefined],
      ['completed', 'good m', 'in_progress'],
      ['completed', 'good morning', 'completed'],
    ]);
  });
});
