import { createRequire } from 'node:module';
import { connect } from 'node:net';
import type * as CartesiaModule from '@cartesia/cartesia-js';
import type { SttConfig } from '@va/core';
import { type Clock, systemClock } from '@va/core/adapter';
import { cartesiaTranscription } from '@va/providers/cartesia';
import { VirtualClock } from '@va/testkit';
import { type InkFault, InkServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';
import { count, heardBy, named, speak } from '../recognition.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp {
  readonly turns?: readonly string[];
  readonly config?: Partial<SttConfig>;
  readonly hints?: readonly string[];
  readonly languages?: readonly string[];
  readonly faults?: readonly InkFault[];
  readonly clock?: Clock;
}

async function setUp(options: SetUp = {}) {
  const { turns = [], config = {}, hints = [], faults = [], clock = systemClock, languages } = options;
  const server = await InkServer.start(turns);
  server.failNext(...faults);
  const stream = cartesiaTranscription({ apiKey: 'key', baseUrl: server.url }).open({
    ...common(),
    clock,
    config: { provider: 'cartesia', ...config },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    hints,
    ...(languages !== undefined && { languages }),
  });
  closers.push(
    () => server.close(),
    () => stream.close(),
  );
  return { server, stream, ...heardBy(stream) };
}

describe('cartesiaTranscription', () => {
  it('requests words when the pipeline has detected the end of a turn, and joins their chunks', async () => {
    const { stream, events } = await setUp({ turns: ['yes please', 'thank you'] });
    speak(stream, 22);
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    speak(stream, 22);
    stream.finalize();
    await until(() => count(events, 'finalized') === 2);
    expect(named(events).filter((each) => !each.startsWith('partial'))).toEqual([
      ...['final yes please', 'finalized'],
      ...['final thank you', 'finalized'],
    ]);
    expect(named(events)).toContain('partial yes');
  });

  it('answers a finalize without words', async () => {
    const { stream, events } = await setUp();
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toEqual(['finalized']);
  });

  it('uses the last partial after a second without a response', async () => {
    const clock = new VirtualClock();
    const { stream, events, server } = await setUp({ turns: ['yes please'], faults: ['silent-finalize'], clock });
    speak(stream, 22);
    stream.finalize();
    await until(() => server.connections[0]?.commands.length === 1 && named(events).includes('partial yes please'));
    await clock.advance(999);
    expect(count(events, 'finalized')).toBe(0);
    await clock.advance(1);
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toContain('final yes please');
  });

  it('sends unsettled audio again on another connection', async () => {
    const { server, stream, events } = await setUp({ turns: ['yes please'], faults: [{ breakAfterChunks: 4 }] });
    speak(stream, 22);
    stream.finalize();
    await until(() => count(events, 'finalized') === 1);
    expect(named(events)).toContain('final yes please');
    expect(server.connections).toHaveLength(2);
  });

  it.each([
    [{ status_code: 401, error_code: 'unauthorized' }, 'auth'],
    [{ status_code: 402, error_code: 'quota_exceeded' }, 'quota'],
    [{ status_code: 400, error_code: 'model_not_found' }, 'invalid_request'],
  ])('does not retry after %j', async (error, fault) => {
    const { failure, stream, server } = await setUp({ faults: [{ error }] });
    speak(stream, 2);
    expect(await failure).toMatchObject({ fault, retryable: false });
    expect(server.connections).toHaveLength(1);
  });

  it('connects again when the account has too many connections', async () => {
    const error = { status_code: 429, error_code: 'concurrency_limited' };
    const { server, stream } = await setUp({ faults: [{ error }] });
    speak(stream, 2);
    await until(() => server.connections.length === 2);
  });

  it.each([
    [{ language: 'en-GB' }, undefined, { model: 'ink-2', language: 'en' }, ['Trattoria Roma']],
    [{ language: 'nl-NL' }, undefined, { model: 'ink-whisper', language: 'nl' }, []],
    [{ language: 'multi' }, ['fr', 'en'], { model: 'ink-whisper', language: 'fr' }, []],
    [{ model: 'ink-3' }, undefined, { model: 'ink-3' }, ['Trattoria Roma']],
  ])('chooses the model and the key terms by the language: %j', async (config, languages, expected, keyterms) => {
    const { server } = await setUp({
      config: { ...config, min_volume: 0.1, max_silence_duration_secs: 2, options: { new_feature: 1 } },
      hints: ['Trattoria Roma', 'x'.repeat(1_200)],
      ...(languages !== undefined && { languages }),
    });
    await until(() => server.connections.length === 1);
    const { query, headers } = server.connections[0] ?? {};
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      ...expected,
      encoding: 'pcm_mulaw',
      sample_rate: '8000',
      min_volume: '0.1',
      max_silence_duration_secs: '2',
      new_feature: '1',
    });
    expect(query?.getAll('keyterm')).toEqual(keyterms);
    expect(headers?.['cartesia-version']).toBe('2026-03-01');
  });

  it('sends the closing message on close', async () => {
    const { server, stream } = await setUp();
    await until(() => server.connections.length === 1);
    speak(stream, 2);
    await until(() => server.connections[0]?.chunks === 1);
    stream.close();
    await until(() => server.connections[0]?.closed === true);
    expect(server.connections[0]?.commands).toEqual(['close']);
  });

  it('rejects invalid settings', () => {
    const { optionsSchema } = cartesiaTranscription();
    for (const config of [{ min_volume: 2 }, { max_silence_duration_secs: -1 }, { options: { model: 'x' } }]) {
      expect(optionsSchema?.safeParse(config).success).toBe(false);
    }
  });
});

describe('InkServer with the vendor’s own client', () => {
  it('streams and finalizes a turn', async () => {
    const server = await InkServer.start(['yes please']);
    closers.push(() => server.close());
    const { port } = new URL(server.url);
    // As an ES module, the client of this socket does not find `ws`.
    const { Cartesia } = createRequire(import.meta.url)('@cartesia/cartesia-js') as typeof CartesiaModule;
    const client = new Cartesia({ apiKey: 'key', baseURL: `http://127.0.0.1:${port}` });
    const options = { createConnection: () => connect(Number(port), '127.0.0.1') };
    const socket = client.stt.manualFinalize.websocket(
      { model: 'ink-2', encoding: 'pcm_mulaw', sample_rate: 8_000, language: 'en' },
      options,
    );
    closers.push(() => socket.close());
    const texts: string[] = [];
    socket.on('error', ({ message }) => texts.push(message));
    socket.on('transcript', ({ text, is_final }) => texts.push(`${is_final ? 'final' : 'partial'}:${text}`));
    socket.on('flush_done', () => socket.send('close'));
    socket.on('done', () => texts.push('done'));
    socket.sendRaw(Buffer.alloc(3_360, 0x55));
    socket.send('finalize');
    await until(() => texts.includes('done'));
    expect(texts).toEqual(['partial:yes please', 'final:yes p', 'final:lease', 'done']);
  });
});
