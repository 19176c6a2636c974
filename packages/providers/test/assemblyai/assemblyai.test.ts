import type { SttConfig } from '@va/core';
import { type Clock, systemClock } from '@va/core/adapter';
import { assemblyai } from '@va/providers/assemblyai';
import { VirtualClock } from '@va/testkit';
import { type AssemblyAiFault, AssemblyAiServer } from '@va/testkit/provider-servers';
import { StreamingTranscriber, type TurnEvent } from 'assemblyai';
import { afterEach, describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';
import { heardBy, named, speak } from '../recognition.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp {
  readonly turns?: readonly string[];
  readonly config?: Partial<SttConfig>;
  readonly hints?: readonly string[];
  readonly faults?: readonly AssemblyAiFault[];
  readonly clock?: Clock;
}

async function setUp({ turns = [], config = {}, hints = [], faults = [], clock = systemClock }: SetUp = {}) {
  const server = await AssemblyAiServer.start({ turns });
  server.failNext(...faults);
  const stream = assemblyai({ apiKey: 'key', baseUrl: server.url }).open({
    ...common(),
    clock,
    config: { provider: 'assemblyai', ...config },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    hints,
  });
  closers.push(
    () => server.close(),
    () => stream.close(),
  );
  return { server, stream, ...heardBy(stream) };
}

const silence = 0xff;

describe('assemblyai', () => {
  it('reports turns as the service detects them, with formatted words', async () => {
    const { stream, events } = await setUp({ turns: ['yes please', 'thank you'] });
    expect(stream.judgesTurns).toBe(true);
    speak(stream, 21);
    speak(stream, 30, silence);
    await until(() => named(events).includes('turn-ended'));
    speak(stream, 21);
    speak(stream, 30, silence);
    await until(() => named(events).filter((each) => each === 'turn-ended').length === 2);
    expect(named(events).filter((each) => !each.startsWith('partial'))).toEqual([
      ...['turn-started', 'final Yes please.', 'turn-ended'],
      ...['turn-started', 'final Thank you.', 'turn-ended'],
    ]);
    expect(named(events)).toContain('partial yes please');
  });

  it('sends messages of at least 50 ms', async () => {
    const { server, stream } = await setUp({ config: { turn_detection: 'pipeline' } });
    await until(() => server.connections.length === 1);
    speak(stream, 4);
    stream.finalize();
    await until(() => server.connections[0]?.controls.length === 1);
    expect(server.connections[0]?.chunks).toEqual([60, 60]);
  });

  it('uses the words without formatting when the formatted version does not come', async () => {
    const clock = new VirtualClock();
    const { stream, events } = await setUp({ turns: ['yes please'], faults: ['unformatted'], clock });
    speak(stream, 21);
    speak(stream, 30, silence);
    await until(() => named(events).includes('partial yes please'));
    for (let passed = 0; !named(events).includes('turn-ended') && passed < 100; passed++) {
      await clock.advance(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(named(events)).toContain('final yes please');
  });

  it('ends turns by ForceEndpoint when the pipeline detects their ends', async () => {
    const { server, stream, events } = await setUp({ turns: ['yes please'], config: { turn_detection: 'pipeline' } });
    expect(stream.judgesTurns).toBe(false);
    speak(stream, 21);
    stream.finalize();
    await until(() => named(events).includes('finalized'));
    expect(named(events).slice(-2)).toEqual(['final Yes please.', 'finalized']);
    expect(named(events).some((each) => each.startsWith('turn'))).toBe(false);
    expect(server.connections[0]?.controls).toEqual([{ type: 'ForceEndpoint' }]);
  });

  it('waits a second for a ForceEndpoint that the service does not answer', async () => {
    const clock = new VirtualClock();
    const { server, stream, events } = await setUp({ config: { turn_detection: 'pipeline' }, clock });
    stream.finalize();
    await until(() => server.connections[0]?.controls.length === 1);
    await clock.advance(999);
    expect(events).toEqual([]);
    await clock.advance(1);
    await until(() => named(events).includes('finalized'));
  });

  it('sends unsettled audio again on another connection', async () => {
    const { server, stream, events } = await setUp({ turns: ['yes please'], faults: [{ breakAfterChunks: 5 }] });
    speak(stream, 21);
    speak(stream, 30, silence);
    await until(() => named(events).includes('turn-ended'));
    expect(server.connections).toHaveLength(2);
    expect(named(events).filter((each) => each === 'turn-started')).toHaveLength(1);
  });

  it.each([
    [1008, 'auth'],
    [3006, 'invalid_request'],
    [4001, 'auth'],
    [4002, 'quota'],
  ])('does not retry after the error %i', async (error, fault) => {
    const { server, failure } = await setUp({ faults: [{ error }] });
    expect(await failure).toMatchObject({ fault, retryable: false });
    expect(server.connections).toHaveLength(1);
  });

  it.each([3005, 3008, 3009, 4031])('connects again after the error %i', async (error) => {
    const { server } = await setUp({ faults: [{ error }] });
    await until(() => server.connections.length === 2);
  });

  it('passes key terms on within the limits of the service, also during a call', async () => {
    const { server, stream } = await setUp({ hints: ['Trattoria Roma', 'x'.repeat(51)] });
    speak(stream, 3);
    await until(() => (server.connections[0]?.audioBytes ?? 0) > 0);
    expect(server.connections[0]?.query.get('keyterms_prompt')).toBe('["Trattoria Roma"]');
    stream.setHints?.(Array.from({ length: 120 }, (_, at) => `term ${at}`));
    await until(() => server.connections[0]?.controls.length === 1);
    expect(server.connections[0]?.controls[0]).toMatchObject({ type: 'UpdateConfiguration' });
    expect(server.connections[0]?.controls[0]?.keyterms_prompt).toHaveLength(100);
  });

  it.each([
    [{}, { speech_model: 'universal-streaming-english', format_turns: 'true' }],
    [{ language: 'nl-NL' }, { speech_model: 'universal-streaming-multilingual' }],
    [{ model: 'universal-3-5-pro', language: 'nl-NL' }, { language_codes: '["nl"]' }],
    [
      { min_turn_silence: 200, max_turn_silence: 900, format_turns: false, options: { speaker_labels: true } },
      { min_turn_silence: '200', max_turn_silence: '900', format_turns: 'false', speaker_labels: 'true' },
    ],
  ])('sends the settings %o', async (config, expected) => {
    const { server } = await setUp({ config });
    await until(() => server.connections.length === 1);
    const query = Object.fromEntries(server.connections[0]?.query ?? []);
    expect(query).toMatchObject({ encoding: 'pcm_mulaw', sample_rate: '8000', ...expected });
    expect(query).not.toHaveProperty('turn_detection');
  });
});

/** The vendor's client accepts TLS only; the connection to the server on this machine is plain. */
class PlainTranscriber extends StreamingTranscriber {
  constructor(url: string) {
    super({
      apiKey: 'key',
      websocketBaseUrl: `${url.replace('ws:', 'wss:')}/v3/ws`,
      sampleRate: 8_000,
      encoding: 'pcm_mulaw',
      speechModel: 'universal-streaming-english',
      formatTurns: true,
    });
    const secure = Reflect.get(this, 'connectionUrl') as () => URL;
    Reflect.set(this, 'connectionUrl', () => new URL(secure.call(this).href.replace('wss:', 'ws:')));
  }
}

describe('the server of assemblyai', () => {
  it('serves the vendor’s client', async () => {
    const server = await AssemblyAiServer.start({ turns: ['yes please'] });
    closers.push(() => server.close());
    const transcriber = new PlainTranscriber(server.url);
    const turns: TurnEvent[] = [];
    transcriber.on('turn', (turn) => turns.push(turn));
    expect(await transcriber.connect()).toMatchObject({ type: 'Begin' });
    for (let at = 0; at < 5; at++) transcriber.sendAudio(new Uint8Array(800).fill(0x55).buffer);
    transcriber.forceEndpoint();
    await until(() => turns.some(({ turn_is_formatted }) => turn_is_formatted));
    await transcriber.close();
    expect(turns.at(-1)).toMatchObject({ end_of_turn: true, transcript: 'Yes please.' });
  });
});
