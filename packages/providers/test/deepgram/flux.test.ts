import type { SttConfig } from '@va/core';
import { type Clock, type SttEvent, type SttStream, systemClock } from '@va/core/adapter';
import { deepgram } from '@va/providers/deepgram';
import { VirtualClock } from '@va/testkit';
import { type DeepgramFault, DeepgramServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { readTurnInfo } from '../../src/deepgram/turn-info.ts';
import { common, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp {
  turns?: string[];
  faults?: DeepgramFault[];
  config?: Partial<SttConfig>;
  clock?: Clock;
}

async function setUp({ turns = [], faults = [], config = {}, clock = systemClock }: SetUp = {}) {
  const server = await DeepgramServer.start({ turns });
  server.failNext(...faults);
  const call = new AbortController();
  const stream = deepgram({ apiKey: 'dg-key', baseUrl: server.url }).open({
    ...common(call.signal),
    clock,
    config: { provider: 'deepgram', model: 'flux-general-en', ...config },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    hints: ['Trattoria'],
  });
  closers.push(
    () => server.close(),
    () => stream.close(),
  );
  const events: SttEvent[] = [];
  const read = async () => {
    for await (const event of stream) events.push(event);
  };
  const ended = read();
  ended.catch(() => undefined);
  return { server, call, stream, events, ended };
}

function send(stream: SttStream, frames: number, code: number): void {
  for (let i = 0; i < frames; i++) stream.send(new Uint8Array(160).fill(code));
}
const speak = (stream: SttStream, frames: number) => send(stream, frames, 0x55);
const fallSilent = (stream: SttStream, frames = 40) => send(stream, frames, 0xff);
const names = (events: readonly SttEvent[]) =>
  events.map((event) => ('text' in event ? `${event.type} ${event.text}` : event.type));

describe('deepgram flux', () => {
  it('reports the start and end of turns with their words', async () => {
    const { server, stream, events } = await setUp({ turns: ['a table for two', 'on friday'] });
    expect(stream.judgesTurns).toBe(true);
    speak(stream, 25);
    fallSilent(stream);
    speak(stream, 20);
    fallSilent(stream);
    await until(() => events.filter(({ type }) => type === 'turn-ended').length === 2);
    expect(names(events)).toEqual([
      'turn-started',
      'partial a',
      'partial a table',
      'final a table for two',
      'turn-ended',
      'turn-started',
      'partial on',
      'partial on friday',
      'final on friday',
      'turn-ended',
    ]);
    expect(server.connections[0]?.path).toBe('/v2/listen');
  });

  it('reports a probable end of a turn, and its continuation', async () => {
    const { stream, events } = await setUp({ turns: ['a table for two'], config: { eager_eot_threshold: 0.4 } });
    speak(stream, 10);
    fallSilent(stream, 20);
    speak(stream, 10);
    fallSilent(stream);
    await until(() => events.at(-1)?.type === 'turn-ended');
    expect(names(events)).toEqual([
      'turn-started',
      'partial a',
      'turn-ending',
      'turn-resumed',
      'partial a table',
      'turn-ending',
      'final a table for two',
      'turn-ended',
    ]);
  });

  it('connects with the documented parameters', async () => {
    const thresholds = { eot_threshold: 0.8, eager_eot_threshold: 0.5, eot_timeout_ms: 4_000 };
    const { server } = await setUp({ config: { ...thresholds, language: 'nl', model: 'flux-general-multi' } });
    await until(() => server.connections.length === 1);
    const { query, headers } = server.connections[0] ?? {};
    expect(Object.fromEntries(query ?? [])).toEqual({
      model: 'flux-general-multi',
      encoding: 'mulaw',
      sample_rate: '8000',
      eot_threshold: '0.8',
      eager_eot_threshold: '0.5',
      eot_timeout_ms: '4000',
      language_hint: 'nl',
      keyterm: 'Trattoria',
    });
    expect(headers?.authorization).toBe('Token dg-key');
  });

  it('answers a finalize at once, without a request to the service', async () => {
    const { server, stream, events } = await setUp({ turns: ['yes'] });
    speak(stream, 10);
    await until(() => events.length === 2);
    stream.finalize();
    await until(() => events.length === 3);
    expect(names(events)).toEqual(['turn-started', 'partial yes', 'finalized']);
    expect(server.connections[0]?.controls).toEqual([]);
  });

  it('sends CloseStream when it is closed, and emits nothing more', async () => {
    const { server, stream, events, ended } = await setUp({ turns: ['yes'] });
    speak(stream, 5);
    await until(() => server.connections[0]?.audioBytes === 800);
    stream.close();
    stream.finalize();
    await ended;
    expect(events).toEqual([]);
    await until(() => server.connections[0]?.closed === true);
    expect(server.connections[0]?.controls).toEqual(['CloseStream']);
  });

  it('ends without an event when the call is aborted', async () => {
    const { call, stream, events, ended } = await setUp({ turns: ['yes'] });
    speak(stream, 10);
    call.abort();
    await ended;
    expect(events).toEqual([]);
  });

  it('continues after a lost connection in the middle of a turn, and reports its start once', async () => {
    const { server, stream, events } = await setUp({ turns: ['good morning'], faults: [{ breakAfterBytes: 2_400 }] });
    speak(stream, 20);
    fallSilent(stream);
    await until(() => events.at(-1)?.type === 'turn-ended');
    expect(names(events)).toEqual([
      'turn-started',
      'partial good',
      'partial good morning',
      'final good morning',
      'turn-ended',
    ]);
    expect(server.connections[1]?.audioBytes).toBe(60 * 160);
  });

  it('continues a turn that was ending when the connection was lost', async () => {
    const config = { eager_eot_threshold: 0.4 };
    const { server, stream, events } = await setUp({ turns: ['good morning'], config });
    speak(stream, 20);
    fallSilent(stream, 20);
    await until(() => events.at(-1)?.type === 'turn-ending');
    server.cutConnections();
    await until(() => server.connections.length === 2);
    fallSilent(stream, 20);
    await until(() => events.at(-1)?.type === 'turn-ended');
    expect(names(events).filter((name) => name.startsWith('turn'))).toEqual([
      'turn-started',
      'turn-ending',
      'turn-resumed',
      'turn-ending',
      'turn-ended',
    ]);
  });

  it('gives up after three attempts in a row', async () => {
    const { stream, ended } = await setUp({ faults: Array(4).fill({ status: 503 }) });
    speak(stream, 1);
    await expect(ended).rejects.toMatchObject({ fault: 'unavailable', status: 503 });
  });

  it.each([
    [401, 'auth'],
    [402, 'quota'],
    [400, 'invalid_request'],
  ] as const)('fails at once when the connection is rejected with %i', async (status, fault) => {
    const { ended } = await setUp({ faults: [{ status }] });
    await expect(ended).rejects.toMatchObject({ fault, status, retryable: false });
  });

  it('ends a turn with the words so far when the server never reports its end', async () => {
    const clock = new VirtualClock();
    const config = { eot_timeout_ms: 3_000 };
    const { stream, events } = await setUp({ turns: ['hello there'], faults: ['endless-turns'], clock, config });
    speak(stream, 20);
    await until(() => events.at(-1)?.type === 'partial' && events.length === 3);
    await clock.advance(4_999);
    expect(events).toHaveLength(3);
    await clock.advance(1);
    await until(() => events.length === 5);
    expect(names(events).slice(-2)).toEqual(['final hello there', 'turn-ended']);
  });

  it('ignores invalid messages', async () => {
    const { stream, events } = await setUp({ turns: ['hello'], faults: ['garbage'] });
    speak(stream, 10);
    fallSilent(stream);
    await until(() => events.at(-1)?.type === 'turn-ended');
    expect(names(events)).toEqual(['turn-started', 'partial hello', 'final hello', 'turn-ended']);
  });

  it('is kept alive by silence while no audio is sent, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const { server, stream } = await setUp({ turns: ['yes'], clock });
    speak(stream, 1);
    await until(() => server.connections[0]?.audioBytes === 160);
    await clock.advance(9_000);
    await until(() => server.connections[0]?.audioBytes === 160 + 2 * 800);
    expect(server.connections[0]?.controls).toEqual([]);
    stream.close();
    await until(() => server.connections[0]?.closed === true && clock.pending === 0);
  });
});

describe('readTurnInfo', () => {
  const turn = { type: 'TurnInfo', event: 'Update', turn_index: 0, transcript: ' yes ' };
  it('reads a valid message', () =>
    expect(readTurnInfo(turn)).toEqual({ event: 'Update', turn: 0, transcript: 'yes' }));
  it.each([
    null,
    'TurnInfo',
    [],
    { ...turn, type: 'Connected' },
    { ...turn, event: 'Sometime' },
    { ...turn, turn_index: '0' },
    { ...turn, transcript: null },
  ])('returns undefined for another shape: %#', (message) => expect(readTurnInfo(message)).toBeUndefined());
});
