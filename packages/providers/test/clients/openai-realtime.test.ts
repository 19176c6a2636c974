import { connect } from 'node:net';
import { RealtimeServer } from '@va/testkit/provider-servers';
import { OpenAI } from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../options.ts';

it('RealtimeServer serves turns, items and a truncation to the client of openai', async () => {
  const server = await RealtimeServer.start({
    ...{ dialect: 'openai', transcripts: ['When are you open?'], replies: [{ text: 'Until ten.' }] },
  });
  const client = new OpenAI({ apiKey: 'key', baseURL: server.url.replace('ws', 'http') });
  const { hostname: host, port } = new URL(server.url);
  // The client connects with TLS alone; the server of the testkit has none.
  const createConnection = () => connect({ host, port: Number(port) });
  const socket = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { createConnection } }, client);
  onTestFinished(async () => {
    socket.close();
    await server.close();
  });
  const events: RealtimeServerEvent[] = [];
  const errors: Error[] = [];
  socket.on('event', (event) => events.push(event));
  socket.on('error', (error) => errors.push(error));
  const has = (type: string) => events.some((event) => event.type === type);
  await until(() => has('session.created'));

  socket.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } });
  await until(() => has('session.updated'));
  socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(9_600, 7).toString('base64') });
  socket.send({ type: 'input_audio_buffer.commit' });
  await until(() => has('conversation.item.input_audio_transcription.completed'));
  socket.send({ type: 'response.create', response: { metadata: { turn: '1' } } });
  await until(() => has('response.done'));

  const done = events.find((event) => event.type === 'response.done');
  expect(done?.response).toMatchObject({ status: 'completed', metadata: { turn: '1' } });
  expect(done?.response.usage?.total_tokens).toBeGreaterThan(0);
  const item = done?.response.output?.[0];
  expect(item).toMatchObject({ type: 'message', role: 'assistant', content: [{ transcript: 'Until ten.' }] });

  const itemId = item?.id ?? '';
  socket.send({ type: 'conversation.item.retrieve', item_id: itemId });
  await until(() => has('conversation.item.retrieved'));
  expect(events.find((event) => event.type === 'conversation.item.retrieved')?.item).toMatchObject({ id: itemId });
  socket.send({ type: 'conversation.item.truncate', item_id: itemId, content_index: 0, audio_end_ms: 100 });
  await until(() => has('conversation.item.truncated'));
  socket.send({ type: 'conversation.item.delete', item_id: itemId });
  await until(() => has('conversation.item.deleted'));
  expect(errors).toEqual([]);

  socket.send({ type: 'conversation.item.retrieve', item_id: itemId });
  await until(() => errors.length > 0);
  expect(errors[0]?.message).toContain(itemId);
});
