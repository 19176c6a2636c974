import type { SttConfig } from '@va/core';
import { type Clock, type SttEvent, type SttStream, systemClock } from '@va/core/adapter';
import { type DeepgramOptions, deepgram } from '@va/providers/deepgram';
import { VirtualClock } from '@va/testkit';
import { DeepgramServer, type DeepgramServerOptions } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp extends DeepgramServerOptions {
  readonly config?: Partial<SttConfig>;
  readonly options?: DeepgramOptions;
  readonly hints?: readonly string[];
  readonly clock?: Clock;
  readonly encoding?: 'pcmu' | 'pcma' | 'pcm16';
}

async function setUp({ config, options, hints = [], clock = systemClock, encoding = 'pcmu', ...behaviour }: SetUp) {
  const server = await DeepgramServer.start(behaviour);
  const stream = deepgram({ apiKey: 'key', baseUrl: server.url, ...options }).open({
    ...common(),
    clock,
    config: { provider: 'deepgram', ...config },
    format: { encoding, sampleRateHz: 8_000 },
    hints,
  });
  closers.push(
    () => server.close(),
    () => stream.close(),
  );
  const events: SttEvent[] = [];
  const read = async () => {
    for await (const event of stream) events.push(event);
  };
  read().catch(() => undefined);
  await until(() => server.connections.length === 1);
  const query = server.connections[0]?.query ?? new URLSearchParams();
  return { server, stream, events, query };
}

const frames = { pcmu: [0x55, 0xff], pcma: [0x12, 0xd5], pcm16: [0x20, 0x00] } as const;

function speak(stream: SttStream, count: number, encoding: keyof typeof frames = 'pcmu', isSilent = false): void {
  const bytes = encoding === 'pcm16' ? 320 : 160;
  for (let at = 0; at < count; at++) stream.send(new Uint8Array(bytes).fill(frames[encoding][isSilent ? 1 : 0]));
}

const named = (events: readonly SttEvent[]) =>
  events.map((event) => ('text' in event ? `${event.type} ${event.text}` : event.type));
const isFinalized = (events: readonly SttEvent[]) => events.some(({ type }) => type === 'finalized');

const behaviours = (['unanswered-when-empty', 'answered'] as const).flatMap((finalize) =>
  (['as-asked', 'always'] as const).map((endpointing) => ({ finalize, endpointing })),
);

describe.each(behaviours)('deepgram with finalize $finalize and endpointing $endpointing', (behaviour) => {
  it('settles a turn with all its words, once', async () => {
    const { stream, events } = await setUp({ ...behaviour, turns: ['a table for two'] });
    stream.speechStarted();
    speak(stream, 40);
    speak(stream, 25, 'pcmu', true);
    await until(() => named(events).length >= 3);
    stream.finalize();
    await until(() => isFinalized(events));
    expect(named(events).filter((each) => !each.startsWith('partial'))).toEqual(['final a table for two', 'finalized']);
  });

  it('settles long speech that the service finalizes in segments', async () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
    const { server, stream, events } = await setUp({ ...behaviour, turns: [words.join(' ')] });
    stream.speechStarted();
    speak(stream, 1);
    // Waits for the connection: the audio that follows is more than a stream keeps while it connects.
    await until(() => server.connections[0]?.audioBytes === 160);
    speak(stream, 400);
    speak(stream, 25, 'pcmu', true);
    await until(() => named(events).filter((each) => each.startsWith('final')).length >= 2);
    stream.finalize();
    await until(() => isFinalized(events));
    const finals = events.flatMap((event) => (event.type === 'final' ? [event.text] : []));
    expect(finals.join(' ')).toBe(words.join(' '));
  });

  it.each(['pcmu', 'pcma', 'pcm16'] as const)('transcribes %s', async (encoding) => {
    const { stream, events } = await setUp({ ...behaviour, encoding, turns: ['yes please'] });
    stream.speechStarted();
    speak(stream, 20, encoding);
    speak(stream, 25, encoding, true);
    await until(() => events.length >= 1);
    stream.finalize();
    await until(() => isFinalized(events));
    expect(named(events).filter((each) => !each.startsWith('partial'))).toEqual(['final yes please', 'finalized']);
  });
});

describe('Finalize without pending audio', () => {
  it('never occurs after speech, because the vendor’s endpointing is off', async () => {
    const { server, stream, events } = await setUp({ turns: ['a table for two'] });
    stream.speechStarted();
    speak(stream, 40);
    speak(stream, 30, 'pcmu', true);
    stream.finalize();
    await until(() => isFinalized(events));
    expect(server.connections[0]?.unansweredFinalizes).toBe(0);
  });

  it('times out after 200 ms when all words are final already, instead of 1 s', async () => {
    const clock = new VirtualClock();
    const { server, stream, events } = await setUp({ turns: ['yes'], endpointing: 'always', clock });
    stream.speechStarted();
    speak(stream, 15);
    speak(stream, 25, 'pcmu', true);
    await until(() => named(events).includes('final yes'));
    stream.finalize();
    await until(() => server.connections[0]?.unansweredFinalizes === 1);
    await clock.advance(199);
    expect(isFinalized(events)).toBe(false);
    await clock.advance(1);
    await until(() => isFinalized(events));
  });

  it('times out after 1 s when speech has started again', async () => {
    const clock = new VirtualClock();
    const { server, stream, events } = await setUp({ turns: ['yes'], endpointing: 'always', clock });
    stream.speechStarted();
    speak(stream, 15);
    speak(stream, 25, 'pcmu', true);
    await until(() => named(events).includes('final yes'));
    stream.speechStarted();
    stream.finalize();
    await until(() => server.connections[0]?.unansweredFinalizes === 1);
    await clock.advance(999);
    expect(isFinalized(events)).toBe(false);
    await clock.advance(1);
    await until(() => isFinalized(events));
  });

  it('waits for the connection before its timeout starts', async () => {
    const server = await DeepgramServer.start({ turns: ['hello'] });
    closers.push(() => server.close());
    server.failNext({ status: 503 });
    const clock = new VirtualClock();
    const stream = deepgram({ apiKey: 'key', baseUrl: server.url }).open({
      ...common(),
      clock,
      config: { provider: 'deepgram' },
      format: { encoding: 'pcmu', sampleRateHz: 8_000 },
      hints: [],
    });
    closers.push(() => stream.close());
    const reader = stream[Symbol.asyncIterator]();
    speak(stream, 15);
    stream.finalize();
    await until(() => clock.pending > 0);
    while (server.connections.length === 0) {
      await clock.advance(1_500);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await reader.next()).toMatchObject({ value: { text: 'hello' } });
  });
});

describe('key terms of deepgram', () => {
  it.each([
    ['nova-3', { keyterm: ['Trattoria Roma', 'ossobuco'] }],
    ['nova-3-medical', { keyterm: ['Trattoria Roma', 'ossobuco'] }],
    ['nova-2-phonecall', { keywords: ['Trattoria', 'Roma', 'ossobuco'] }],
    ['flux-general-en', { keyterm: ['Trattoria Roma', 'ossobuco'] }],
  ])('are sent to %s in the form that it accepts', async (model, expected) => {
    const { query } = await setUp({ config: { model }, hints: ['Trattoria Roma', 'ossobuco'] });
    expect({
      ...(query.has('keyterm') && { keyterm: query.getAll('keyterm') }),
      ...(query.has('keywords') && { keywords: query.getAll('keywords') }),
    }).toEqual(expected);
  });

  it('are limited to the 500 tokens that the service accepts', async () => {
    const { query } = await setUp({ hints: Array.from({ length: 60 }, (_, at) => `${at}`.padStart(90, 'x')) });
    expect(query.getAll('keyterm')).toHaveLength(16);
  });

  it.each(['nova-3', 'flux-general-en'])(
    'change during a call with %s, and stay changed after a reconnection',
    async (model) => {
      const { server, stream } = await setUp({ config: { model }, hints: ['Trattoria'] });
      await until(() => server.connections[0]?.audioBytes === 0);
      speak(stream, 1);
      await until(() => server.connections[0]?.audioBytes === 160);
      stream.setHints?.(['Janssen']);
      await until(() => server.connections[0]?.keyterms.length === 1);
      expect(server.connections[0]?.keyterms).toEqual([['Janssen']]);
      server.cutConnections();
      await until(() => server.connections.length === 2);
      expect(server.connections[1]?.query.getAll('keyterm')).toEqual(['Janssen']);
    },
  );

  it('wait for the next connection with models that cannot change them', async () => {
    const { server, stream } = await setUp({ config: { model: 'nova-2' }, hints: ['Trattoria'] });
    speak(stream, 1);
    await until(() => server.connections[0]?.audioBytes === 160);
    stream.setHints?.(['Janssen']);
    server.cutConnections();
    await until(() => server.connections.length === 2);
    expect(server.connections[0]?.controls).toEqual([]);
    expect(server.connections[1]?.query.getAll('keywords')).toEqual(['Janssen']);
  });
});

describe('settings of deepgram', () => {
  it('are sent under the names of the service', async () => {
    const { query } = await setUp({
      config: {
        smart_format: false,
        punctuate: true,
        filler_words: true,
        numerals: true,
        profanity_filter: true,
        redact: ['pci', 'numbers'],
        replace: ['monday:Monday'],
        eot_threshold: 0.8,
      },
      options: { mipOptOut: true, tags: ['calls', 'nl'] },
    });
    expect(Object.fromEntries(query)).toMatchObject({
      smart_format: 'false',
      punctuate: 'true',
      filler_words: 'true',
      numerals: 'true',
      profanity_filter: 'true',
      replace: 'monday:Monday',
      mip_opt_out: 'true',
    });
    expect(query.getAll('redact')).toEqual(['pci', 'numbers']);
    expect(query.getAll('tag')).toEqual(['calls', 'nl']);
    expect(query.has('eot_threshold')).toBe(false);
  });

  it('are sent to Flux if it supports them', async () => {
    const { query } = await setUp({
      config: { model: 'flux-general-multi', language_hints: ['nl', 'en'], numerals: true, smart_format: true },
    });
    expect(query.getAll('language_hint')).toEqual(['nl', 'en']);
    expect(query.get('numerals')).toBe('true');
    expect(query.has('smart_format')).toBe(false);
  });

  it.each(['nova-3', 'flux-general-en'])('pass options on to %s that the adapter does not know', async (model) => {
    const { query } = await setUp({
      config: { model, numerals: false, options: { numerals: true, extra: ['a', 'b'] } },
    });
    expect(query.get('numerals')).toBe('false');
    expect(query.getAll('extra')).toEqual(['a', 'b']);
  });

  it('are dropped one by one when invalid, so that the call is served', async () => {
    const { query } = await setUp({ config: { numerals: 'yes', punctuate: true } });
    expect(query.get('punctuate')).toBe('true');
    expect(query.has('numerals')).toBe(false);
  });
});

describe('ForceEndTurn', () => {
  const turn = async (forceEndTurn: boolean) => {
    const clock = new VirtualClock();
    const set = await setUp({
      turns: ['hello there'],
      forceEndTurn: true,
      config: { model: 'flux-general-en' },
      options: { forceEndTurn },
      clock,
    });
    speak(set.stream, 20);
    await until(() => named(set.events).includes('partial hello there'));
    await clock.advance(7_000);
    return set;
  };

  it('ends a turn of Flux that timed out, if the account has it', async () => {
    const { server, events } = await turn(true);
    await until(() => named(events).includes('turn-ended'));
    expect(server.connections[0]?.controls).toEqual(['ForceEndTurn']);
  });

  it('is not sent otherwise: the service would close the connection', async () => {
    const { server, events } = await turn(false);
    await until(() => named(events).includes('turn-ended'));
    expect(server.connections[0]?.controls).toEqual([]);
  });
});
