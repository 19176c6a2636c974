import { connect } from 'node:net';
import type { SttConfig } from '@va/core';
import { type AudioFormat, type Clock, type SttStream, systemClock } from '@va/core/adapter';
import { openaiRealtimeTranscription } from '@va/providers/openai';
import { VirtualClock } from '@va/testkit';
import { type TranscriptionFault, TranscriptionServer } from '@va/testkit/provider-servers';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { RealtimeTranscriptionSessionCreateRequest } from 'openai/resources/realtime/realtime';
import { afterEach, describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';
import { count, heardBy, named } from '../recognition.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp {
  readonly turns?: readonly string[];
  readonly config?: Partial<SttConfig>;
  readonly hints?: readonly string[];
  readonly languages?: readonly string[];
  readonly faults?: readonly TranscriptionFault[];
  readonly clock?: Clock;
  readonly format?: AudioFormat;
}

const pcmu: AudioFormat = { encoding: 'pcmu', sampleRateHz: 8_000 };

async function setUp(options: SetUp = {}) {
  const { turns = [], config = {}, hints = [], faults = [], clock = systemClock, format = pcmu, languages } = options;
  const server = await TranscriptionServer.start(turns);
  server.failNext(...faults);
  const stream = openaiRealtimeTranscription({ apiKey: 'sk-key', baseURL: server.url }).open({
    ...common(),
    clock,
    config: { provider: 'openai_realtime', ...config },
    format,
    hints,
    ...(languages !== undefined && { languages }),
  });
  closers.push(
    () => server.close(),
    () => stream.close(),
  );
  return { server, stream, ...heardBy(stream) };
}

/** Sends 20 ms frames of sound. */
function speak(stream: SttStream, frames: number, { encoding }: AudioFormat = pcmu): void {
  for (let at = 0; at < frames; at++) stream.send(new Uint8Array(encoding === 'pcm16' ? 960 : 160).fill(0x33));
}

function transcriptionIn(server: TranscriptionServer): unknown {
  const session = server.connections[0]?.sessions.at(-1) as RealtimeTranscriptionSessionCreateRequest | undefined;
  return session?.audio?.input?.transcription;
}

describe('openaiRealtimeTranscription', () => {
  it('reports words as they are spoken, and commits a turn when the pipeline has detected its end', async () => {
    const { stream, events } = await setUp({ turns: ['yes please', 'thank you'] });
    speak(stream, 21);
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    speak(stream, 21);
    stream.finalize();
    await until(() => count(events, 'finalized') === 2);
    expect(named(events)).toEqual([
      ...['partial yes', 'partial yes please', 'final yes please', 'finalized'],
      ...['partial thank', 'partial thank you', 'final thank you', 'finalized'],
    ]);
  });

  it.each([
    { encoding: 'pcma', sampleRateHz: 8_000 },
    { encoding: 'pcm16', sampleRateHz: 24_000 },
  ] as const)('transcribes audio of $encoding', async (format) => {
    const { stream, events } = await setUp({ turns: ['yes please'], format });
    speak(stream, 21, format);
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toContain('final yes please');
  });

  it('transcribes with a model that begins only when the audio is committed', async () => {
    const { stream, events } = await setUp({ turns: ['yes please'], config: { model: 'gpt-4o-transcribe' } });
    speak(stream, 21);
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toContain('final yes please');
  });

  it('ends the turn without words when the service rejects a commit of too little audio', async () => {
    const { stream, events, server } = await setUp();
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toEqual(['finalized']);
    expect(server.connections).toHaveLength(1);
  });

  it('keeps the order of turns that are completed in another one', async () => {
    const { server, stream, events } = await setUp({ turns: ['yes please', 'thank you'], faults: ['reversed'] });
    // Parts that end before the service is ready are committed as one.
    await until(() => server.connections[0]?.sessions.length === 1);
    speak(stream, 3);
    await until(() => server.connections[0]?.chunks === 1);
    for (let turn = 0; turn < 2; turn++) {
      speak(stream, 21);
      stream.finalize();
    }
    await until(() => count(events, 'finalized') === 2);
    expect(named(events).filter((each) => !each.startsWith('partial'))).toEqual([
      ...['final yes please', 'finalized', 'final thank you', 'finalized'],
    ]);
  });

  it('uses the words so far after 3 s without a response', async () => {
    const clock = new VirtualClock();
    const { stream, events, server } = await setUp({ turns: ['yes please'], faults: ['silent-commit'], clock });
    speak(stream, 21);
    stream.finalize();
    await until(() => server.connections[0]?.commits === 1 && named(events).includes('partial yes please'));
    await clock.advance(2_999);
    expect(count(events, 'finalized')).toBe(0);
    await clock.advance(1);
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toContain('final yes please');
  });

  it('uses the words so far when a transcription fails', async () => {
    const { stream, events } = await setUp({ turns: ['yes please'], faults: [{ fails: 'server_error' }] });
    speak(stream, 21);
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toContain('final yes please');
  });

  it('fails with quota when a transcription fails because of insufficient quota', async () => {
    const { stream, failure } = await setUp({ turns: ['yes'], faults: [{ fails: 'insufficient_quota' }] });
    speak(stream, 21);
    stream.finalize();
    expect(await failure).toMatchObject({ fault: 'quota', retryable: false });
  });

  it('sends unsettled audio again on another connection', async () => {
    const { server, stream, events } = await setUp({ turns: ['yes please'], faults: [{ breakAfterChunks: 4 }] });
    speak(stream, 21);
    stream.finalize();
    stream.finalize();
    await until(() => count(events, 'finalized') === 2);
    expect(named(events).filter((each) => each === 'final yes please')).toHaveLength(1);
    expect(server.connections).toHaveLength(2);
  });

  it('connects again when the session has expired', async () => {
    const ends = { type: 'invalid_request_error', code: 'session_expired' };
    const { server, stream, events } = await setUp({ turns: ['yes please'], faults: [{ ends }] });
    speak(stream, 21);
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toContain('final yes please');
    expect(server.connections).toHaveLength(2);
  });

  it.each([
    [{ type: 'invalid_request_error', code: 'invalid_api_key' }, 'auth'],
    [{ type: 'insufficient_quota', code: 'insufficient_quota' }, 'quota'],
    [{ type: 'invalid_request_error', code: 'invalid_value' }, 'invalid_request'],
  ])('does not retry after %j', async (error, fault) => {
    const { failure, server } = await setUp({ faults: [{ error }] });
    expect(await failure).toMatchObject({ fault, retryable: false });
    expect(server.connections).toHaveLength(1);
  });

  it.each([
    [
      'gpt-live-transcribe',
      { delay: 'low', prompt: 'A call to a restaurant.' },
      { languages: ['nl', 'en'], keywords: ['Trattoria Roma'], delay: 'low', prompt: 'A call to a restaurant.' },
    ],
    ['gpt-4o-transcribe', { prompt: 'A call.' }, { prompt: 'A call. The caller may say: Trattoria Roma, <x>.' }],
    ['gpt-realtime-whisper', { prompt: 'A call.', delay: 'high' }, { delay: 'high' }],
  ])('sends the settings, languages and key terms as %s takes them', async (model, settings, expected) => {
    const { server } = await setUp({
      config: { model, language: 'nl-NL', ...settings, options: { new_feature: 1 } },
      languages: ['nl-NL', 'en'],
      hints: ['Trattoria Roma', '<x>'],
    });
    await until(() => server.connections[0]?.sessions.length === 1);
    expect(transcriptionIn(server)).toEqual({ model, new_feature: 1, ...expected });
    expect(server.connections[0]?.query.toString()).toBe('intent=transcription');
    expect(server.connections[0]?.headers.authorization).toBe('Bearer sk-key');
  });

  it('changes the key terms in mid-call', async () => {
    const { server, stream, events } = await setUp({ turns: ['yes please'], config: { language: 'nl' } });
    speak(stream, 12);
    await until(() => count(events, 'partial') === 1);
    stream.setHints?.(['Roma']);
    await until(() => server.connections[0]?.sessions.length === 2);
    expect(transcriptionIn(server)).toEqual({ model: 'gpt-live-transcribe', languages: ['nl'], keywords: ['Roma'] });
    speak(stream, 9);
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toContain('final yes please');
  });

  it('refuses options that the adapter sets, and prompts of more than 2,000 characters', () => {
    const { optionsSchema } = openaiRealtimeTranscription();
    expect(optionsSchema?.safeParse({ options: { model: 'x' } }).success).toBe(false);
    expect(optionsSchema?.safeParse({ prompt: 'x'.repeat(2_001) }).success).toBe(false);
  });
});

describe('TranscriptionServer with the vendor’s own client', () => {
  it('streams and completes a turn', async () => {
    const server = await TranscriptionServer.start(['yes please']);
    closers.push(() => server.close());
    const { host, hostname, port } = new URL(server.url);
    // The client appends its path, a model or call, and uses TLS: none of them fits a transcription of this server.
    const client = new OpenAI({ apiKey: 'key', baseURL: `http://${host}/v1/realtime?intent=transcription&rest=` });
    const options = { createConnection: () => connect(Number(port), hostname) };
    const socket = new OpenAIRealtimeWS({ callID: 'none', options }, client);
    closers.push(() => socket.close());
    const texts: string[] = [];
    socket.on('error', ({ message }) => texts.push(message));
    const session: RealtimeTranscriptionSessionCreateRequest = {
      type: 'transcription',
      audio: { input: { format: { type: 'audio/pcmu' }, transcription: { model: 'gpt-4o-transcribe' } } },
    };
    socket.on('session.created', () => socket.send({ type: 'session.update', session }));
    socket.on('session.updated', () => {
      const audio = Buffer.alloc(3_360, 0x33).toString('base64');
      socket.send({ type: 'input_audio_buffer.append', audio });
      socket.send({ type: 'input_audio_buffer.commit' });
    });
    socket.on('input_audio_buffer.committed', ({ item_id }) => texts.push(item_id));
    socket.on('conversation.item.input_audio_transcription.delta', ({ delta }) => texts.push(delta ?? ''));
    socket.on('conversation.item.input_audio_transcription.completed', ({ item_id, transcript, usage }) =>
      texts.push(item_id, transcript, usage.type),
    );
    await until(() => texts.includes('duration'));
    expect(texts).toEqual(['item_1', 'yes', ' please', 'item_1', 'yes please', 'duration']);
  });
});
