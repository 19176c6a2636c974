import { createRequire } from 'node:module';
import { connect } from 'node:net';
import type Sdk from '@cartesia/cartesia-js';
import type { TtsEvent, TtsSession, TtsUtterance } from '@va/core/adapter';
import { type CartesiaOptions, cartesia } from '@va/providers/cartesia';
import { type CartesiaBehaviour, type CartesiaFault, CartesiaServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { collect, common, until } from '../options.ts';

/** Its ES module finds no WebSocket on Node.js 20. */
const { Cartesia } = createRequire(import.meta.url)('@cartesia/cartesia-js') as { readonly Cartesia: typeof Sdk };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp {
  readonly behaviour?: Partial<CartesiaBehaviour>;
  readonly faults?: readonly CartesiaFault[];
  readonly config?: object;
  readonly options?: CartesiaOptions;
  readonly language?: string;
}

async function setUp({ behaviour = {}, faults = [], config = {}, options = {}, language }: SetUp = {}) {
  const server = await CartesiaServer.start(behaviour);
  server.failNext(...faults);
  const session = cartesia({ apiKey: 'key', baseUrl: server.url, ...options }).open({
    ...common(),
    config: { provider: 'cartesia', ...config },
    ...(language !== undefined && { language }),
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
  });
  closers.push(
    () => server.close(),
    () => session.close(),
  );
  return { server, session };
}

function say(session: TtsSession, ...texts: string[]): TtsUtterance {
  const utterance = session.speak();
  for (const text of texts) utterance.push(text);
  utterance.end();
  return utterance;
}

/** Starts an utterance whose events are read as they come. */
function follow(session: TtsSession) {
  const utterance = session.speak();
  const events: TtsEvent[] = [];
  const read = (async () => {
    for await (const event of utterance) events.push(event);
  })();
  return { utterance, events, read };
}

const bytesOf = (events: readonly TtsEvent[]) =>
  events.reduce((sum, event) => sum + (event.type === 'audio' ? event.audio.length : 0), 0);
const wordsOf = (events: readonly TtsEvent[]) => events.flatMap((event) => (event.type === 'words' ? event.words : []));
/** 40 ms of 8 kHz μ-law. */
const bytesPerCharacter = 320;

describe('cartesia', () => {
  it('speaks all texts of an utterance on one context, with the times of their words', async () => {
    const { server, session } = await setUp();
    const events = await collect(say(session, 'Good morning.', 'How are you?'));
    expect(bytesOf(events)).toBe('Good morning. How are you? '.length * bytesPerCharacter);
    expect(wordsOf(events)[2]).toEqual({ text: 'How', startMs: 560, endMs: 680 });
    const ids = new Set(server.connections[0]?.messages.map(({ context_id }) => context_id));
    expect([...ids]).toEqual(['utterance-1.1']);
  });

  it('continues on another context when the service ends one between two texts', async () => {
    const { server, session } = await setUp({ behaviour: { expireMs: 5 } });
    const { utterance, events, read } = follow(session);
    utterance.push('One moment.');
    await until(() => server.connections[0]?.done.length === 1);
    utterance.push('Here it is.');
    utterance.end();
    await read;
    expect(bytesOf(events)).toBe('One moment. Here it is. '.length * bytesPerCharacter);
    expect(wordsOf(events)[2]).toEqual({ text: 'Here', startMs: 480, endMs: 640 });
  });

  it('repeats a text that crossed the end of its context', async () => {
    const { server, session } = await setUp({ behaviour: { expireMs: 0 } });
    const { utterance, events, read } = follow(session);
    for (let said = 1; said <= 20; said++) {
      utterance.push('Yes.');
      await until(() => bytesOf(events) === said * 'Yes. '.length * bytesPerCharacter);
    }
    utterance.end();
    await read;
    expect(server.connections).toHaveLength(1);
    expect(bytesOf(events)).toBe(20 * 'Yes. '.length * bytesPerCharacter);
  });

  it('stays within the limit of contexts when replies are interrupted in a row', async () => {
    const { server, session } = await setUp({ behaviour: { drainMs: 200 } });
    for (let turn = 0; turn < 12; turn++) {
      const utterance = session.speak();
      utterance.push(`Reply number ${turn} goes on for a while.`);
      for await (const event of utterance) if (event.type === 'audio') utterance.cancel();
    }
    expect(bytesOf(await collect(say(session, 'Still here.')))).toBe('Still here. '.length * bytesPerCharacter);
    expect(server.connections.every(({ mostOpen }) => mostOpen <= 5)).toBe(true);
  });

  it('cancels the context of a cancelled utterance', async () => {
    const { server, session } = await setUp();
    const utterance = session.speak();
    utterance.push('This is a long story.');
    for await (const event of utterance) if (event.type === 'audio') utterance.cancel();
    await until(() => server.connections[0]?.messages.some(({ cancel }) => cancel === true) ?? false);
  });

  it.each([
    [401, 'unauthorized', 'auth', false],
    [402, 'quota_exceeded', 'quota', false],
    [404, 'voice_not_found', 'invalid_request', false],
    [429, 'concurrency_limited', 'unavailable', true],
    [500, 'internal_error', 'unavailable', true],
  ])('fails an utterance with the fault of the error %i %s', async (status, code, fault, retryable) => {
    const { session } = await setUp({ faults: [{ contextError: { status, code } }] });
    await expect(collect(say(session, 'Hello.'))).rejects.toMatchObject({ fault, retryable });
  });

  it('speaks an utterance without audio again on another connection', async () => {
    const { server, session } = await setUp({ faults: [{ breakAfterChunks: 0 }] });
    expect(bytesOf(await collect(say(session, 'Hello.')))).toBe('Hello. '.length * bytesPerCharacter);
    expect(server.connections).toHaveLength(2);
  });
});

describe('settings of cartesia', () => {
  it('are sent with each text under the names of the service', async () => {
    const { server, session } = await setUp({
      config: {
        voiceId: 'voice',
        model: 'sonic-3',
        generation_config: { speed: 1.1, emotion: 'calm' },
        normalization: 'off',
        pronunciation_dict_id: 'dictionary',
        options: { new_feature: true },
      },
      language: 'nl-NL',
    });
    await collect(say(session, 'Ja.'));
    expect(server.connections[0]?.messages[0]).toMatchObject({
      model_id: 'sonic-3',
      voice: { mode: 'id', id: 'voice' },
      output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8_000 },
      generation_config: { speed: 1.1, emotion: 'calm' },
      normalization: 'off',
      pronunciation_dict_id: 'dictionary',
      new_feature: true,
      max_buffer_delay_ms: 0,
      add_timestamps: true,
      language: 'nl',
    });
  });

  it.each([{ generation_config: { speed: 2 } }, { max_buffer_delay_ms: 6_000 }, { options: { voice: 'x' } }])(
    'are refused when they are invalid: %o',
    (config) => {
      expect(cartesia().optionsSchema?.safeParse(config).success).toBe(false);
    },
  );
});

describe('the server of cartesia', () => {
  it('serves the vendor’s client', async () => {
    const server = await CartesiaServer.start();
    closers.push(() => server.close());
    const { port } = new URL(server.url);
    const client = new Cartesia({ apiKey: 'key', baseURL: `https://127.0.0.1:${port}` });
    // The client always uses TLS; the connection to the server on this machine is plain.
    const plain = { createConnection: () => connect(Number(port), '127.0.0.1') };
    const socket = await client.tts.websocket(plain);
    const context = socket.context({
      model_id: 'sonic-3',
      voice: { id: 'voice' },
      output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8_000 },
      add_timestamps: true,
    });
    await context.push({ transcript: 'Good morning. ', flush: true });
    await context.push({ transcript: 'Yes.' });
    await context.no_more_inputs();
    const types: string[] = [];
    let bytes = 0;
    for await (const event of context.receive()) {
      types.push(event.type);
      if (event.type === 'chunk') bytes += event.audio?.length ?? 0;
    }
    socket.close();
    expect(bytes).toBe('Good morning. Yes.'.length * bytesPerCharacter);
    expect(new Set(types)).toEqual(new Set(['chunk', 'timestamps', 'flush_done', 'done']));
  });
});
