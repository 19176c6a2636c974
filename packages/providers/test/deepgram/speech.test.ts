import { DeepgramClient } from '@deepgram/sdk';
import { type Clock, systemClock, type TtsEvent, type TtsSession, type TtsUtterance } from '@va/core/adapter';
import { type DeepgramSpeechOptions, deepgramSpeech } from '@va/providers/deepgram';
import { VirtualClock } from '@va/testkit';
import { type DeepgramFault, DeepgramServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { collect, common, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp {
  readonly faults?: readonly DeepgramFault[];
  readonly config?: object;
  readonly options?: DeepgramSpeechOptions;
  readonly clock?: Clock;
}

async function setUp({ faults = [], config = {}, options = {}, clock = systemClock }: SetUp = {}) {
  const server = await DeepgramServer.start();
  server.failNext(...faults);
  const session = deepgramSpeech({ apiKey: 'key', baseUrl: server.url, ...options }).open({
    ...common(),
    clock,
    config: { provider: 'deepgram', ...config },
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

async function interrupt(session: TtsSession): Promise<void> {
  const utterance = session.speak();
  utterance.push('This reply goes on for a while.');
  for await (const event of utterance) if (event.type === 'audio') utterance.cancel();
}

const bytesOf = (events: readonly TtsEvent[]) =>
  events.reduce((sum, event) => sum + (event.type === 'audio' ? event.audio.length : 0), 0);
/** 40 ms of 8 kHz μ-law. */
const bytesPerCharacter = 320;

describe('speech of deepgram', () => {
  it('flushes the first text at once, and the texts that follow meanwhile together', async () => {
    const { server, session } = await setUp();
    const events = await collect(say(session, 'Good morning.', 'How are you?', 'Fine?'));
    expect(bytesOf(events)).toBe('Good morning. How are you? Fine? '.length * bytesPerCharacter);
    expect(server.connections[0]?.controls).toEqual(['Flush', 'Flush']);
  });

  it('does not attribute the audio of a cancelled utterance to the next one', async () => {
    const { server, session } = await setUp();
    for (let turn = 0; turn < 5; turn++) await interrupt(session);
    expect(bytesOf(await collect(say(session, 'Still here.')))).toBe('Still here. '.length * bytesPerCharacter);
    expect(server.connections).toHaveLength(1);
    expect(server.connections[0]?.controls).toContain('Clear');
  });

  it('opens another connection when a Clear is not confirmed within a second', async () => {
    const clock = new VirtualClock();
    const { server, session } = await setUp({ faults: ['silent-clear'], clock });
    await interrupt(session);
    const next = collect(say(session, 'Still here.'));
    await clock.advance(1_000);
    expect(bytesOf(await next)).toBe('Still here. '.length * bytesPerCharacter);
    expect(server.connections).toHaveLength(2);
  });

  it('opens another connection when the service refuses a flush', async () => {
    const { server, session } = await setUp();
    for (let turn = 0; turn < 21; turn++) {
      expect(bytesOf(await collect(say(session, 'Yes.')))).toBe('Yes. '.length * bytesPerCharacter);
    }
    expect(server.connections).toHaveLength(2);
  });

  it('splits texts that are longer than the service accepts', async () => {
    const { server, session } = await setUp();
    const text = 'word '.repeat(900).trim();
    expect(bytesOf(await collect(say(session, text)))).toBe(4_500 * bytesPerCharacter);
    expect(server.connections[0]?.texts.map(({ length }) => length)).toEqual([2_000, 2_000, 500]);
  });

  it('splits a text between two code points', async () => {
    const { server, session } = await setUp();
    const text = `a${'\u{1F600}'.repeat(1_500)}`;
    await collect(say(session, text));
    const texts = server.connections[0]?.texts ?? [];
    expect(texts.join('').trim()).toBe(text);
    expect(texts.filter((each) => /\p{Surrogate}/u.test(each))).toEqual([]);
  });

  it('speaks an utterance without audio again on another connection', async () => {
    const { server, session } = await setUp({ faults: [{ breakAfterChunks: 0 }] });
    expect(bytesOf(await collect(say(session, 'Hello.')))).toBe('Hello. '.length * bytesPerCharacter);
    expect(server.connections).toHaveLength(2);
  });

  it('sends its settings under the names of the service', async () => {
    const { server, session } = await setUp({
      config: { voiceId: 'aura-2-beatrix-nl', speed: 1.2, options: { new_feature: true } },
      options: { mipOptOut: true, tags: ['calls', 'nl'] },
    });
    await until(() => server.connections.length === 1);
    expect(Object.fromEntries(server.connections[0]?.query ?? [])).toMatchObject({
      model: 'aura-2-beatrix-nl',
      encoding: 'mulaw',
      sample_rate: '8000',
      speed: '1.2',
      new_feature: 'true',
      mip_opt_out: 'true',
    });
    expect(server.connections[0]?.query.getAll('tag')).toEqual(['calls', 'nl']);
    session.close();
  });
});

describe('the server of deepgram', () => {
  it('speaks to the vendor’s client', async () => {
    const server = await DeepgramServer.start();
    closers.push(() => server.close());
    const client = new DeepgramClient({ apiKey: 'key', baseUrl: server.url });
    const socket = await client.speak.v1.connect({
      Authorization: 'Token key',
      model: 'aura-2-thalia-en',
      encoding: 'mulaw',
      sample_rate: '8000',
    });
    closers.push(() => socket.close());
    const types: string[] = [];
    socket.on('message', (message) => {
      const { type = '' } = message as { readonly type?: string };
      types.push(type === '' ? 'audio' : type);
    });
    socket.connect();
    await socket.waitForOpen();
    socket.sendText({ type: 'Speak', text: 'Good morning.' });
    socket.sendFlush({ type: 'Flush' });
    await until(() => types.includes('Flushed'));
    socket.sendClear({ type: 'Clear' });
    await until(() => types.includes('Cleared'));
    expect(types).toEqual(['Metadata', 'audio', 'audio', 'Flushed', 'Cleared']);
  });
});
