import { inspect } from 'node:util';
import { type Clock, systemClock, type TtsEvent, type TtsUtterance } from '@va/core/adapter';
import { elevenlabs } from '@va/providers/elevenlabs';
import { VirtualClock } from '@va/testkit';
import { type ElevenLabsFault, ElevenLabsServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { collect, common, pass, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp {
  faults?: ElevenLabsFault[];
  encoding?: 'pcmu' | 'pcm16';
  config?: object;
  clock?: Clock;
}

async function setUp({ faults = [], encoding = 'pcmu', config = {}, clock = systemClock }: SetUp = {}) {
  const server = await ElevenLabsServer.start();
  server.failNext(...faults);
  const call = new AbortController();
  const session = elevenlabs({ apiKey: 'el-key', baseUrl: server.url, headers: { 'x-team': 'voice' } }).open({
    ...common(call.signal),
    clock,
    config: { provider: 'elevenlabs', ...config },
    format: { encoding, sampleRateHz: 8_000 },
  });
  closers.push(
    () => server.close(),
    () => session.close(),
  );
  const say = (...texts: string[]): TtsUtterance => {
    const utterance = session.speak();
    for (const text of texts) utterance.push(text);
    utterance.end();
    return utterance;
  };
  return { server, session, call, say };
}

/** Reads the first event of an utterance, and leaves the others. */
async function collectFirst(utterance: TtsUtterance): Promise<void> {
  await utterance[Symbol.asyncIterator]().next();
}

const bytesOf = (events: TtsEvent[]) =>
  events.reduce((sum, event) => sum + (event.type === 'audio' ? event.audio.length : 0), 0);
const wordsOf = (events: TtsEvent[]) => events.flatMap((event) => (event.type === 'words' ? event.words : []));

describe('elevenlabs', () => {
  it('speaks clauses in one context and reports the time of every word', async () => {
    const { server, say } = await setUp();
    const events = await collect(say('Your table is booked,', 'see you on Friday!'));
    // The local server speaks 40 ms a character, including the space after each clause.
    expect(bytesOf(events)).toBe('Your table is booked, see you on Friday! '.length * 40 * 8);
    const words = wordsOf(events);
    expect(words.map(({ text }) => text)).toEqual('Your table is booked, see you on Friday!'.split(' '));
    expect(words[0]).toEqual({ text: 'Your', startMs: 0, endMs: 160 });
    expect(words[2]).toEqual({ text: 'is', startMs: 440, endMs: 520 });
    expect(words[4]).toEqual({ text: 'see', startMs: 880, endMs: 1_000 });
    expect(new Set(server.connections[0]?.messages.map(({ context_id }) => context_id)).size).toBe(1);
  });

  it('connects with the documented parameters, once for the whole call', async () => {
    const config = { voiceId: 'voice/1', model: 'eleven_x', voice_settings: { speed: 1.1 } };
    const { server, say } = await setUp({ config });
    await collect(say('One.'));
    await collect(say('Two.'));
    expect(server.connections).toHaveLength(1);
    const { path, query, headers, messages } = server.connections[0] ?? {};
    expect(path).toBe('/v1/text-to-speech/voice%2F1/multi-stream-input');
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      model_id: 'eleven_x',
      output_format: 'ulaw_8000',
      auto_mode: 'true',
    });
    expect(headers).toMatchObject({ 'xi-api-key': 'el-key', 'x-team': 'voice' });
    expect(messages?.[0]).toMatchObject({ text: ' ', voice_settings: { speed: 1.1 } });
  });

  it('returns linear samples on request', async () => {
    const { server, say } = await setUp({ encoding: 'pcm16' });
    const events = await collect(say('Yes.'));
    expect(bytesOf(events)).toBe('Yes. '.length * 40 * 16);
    expect(wordsOf(events)[0]).toEqual({ text: 'Yes.', startMs: 0, endMs: 160 });
    expect(server.connections[0]?.query.get('output_format')).toBe('pcm_8000');
  });

  it('emits nothing after a cancel, closes the context, and speaks the next utterance', async () => {
    const { server, session, say } = await setUp();
    const abandoned = session.speak();
    abandoned.push('This is never heard.');
    await until(() => (server.connections[0]?.messages.length ?? 0) >= 2);
    abandoned.cancel();
    abandoned.cancel();
    expect(bytesOf(await collect(say('Yes.')))).toBe(1_600);
    expect(await collect(abandoned)).toEqual([]);
    expect(server.connections[0]?.messages.filter((message) => message.close_context)).toHaveLength(2);
  });

  it('never opens more than the five contexts that the service allows', async () => {
    const { server, session } = await setUp();
    const utterances = Array.from({ length: 8 }, () => session.speak());
    for (const [at, utterance] of utterances.entries()) utterance.push(`Sentence ${at}.`);
    await until(() => server.connections[0]?.mostOpen === 5);
    for (const utterance of utterances) utterance.end();
    const spoken = await Promise.all(utterances.map(collect));
    expect(spoken.every((events) => bytesOf(events) > 0)).toBe(true);
    expect(server.connections).toHaveLength(1);
    expect(server.connections[0]?.mostOpen).toBe(5);
  });

  it('fails an utterance that is cut off, and speaks the next one on a new connection', async () => {
    const { server, say } = await setUp({ faults: [{ breakAfterPieces: 1 }] });
    const utterance = say('This sentence is cut in the middle of a word.');
    const events: TtsEvent[] = [];
    const reading = (async () => {
      for await (const event of utterance) events.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ fault: 'connection', retryable: true });
    expect(bytesOf(events)).toBe(12 * 40 * 8);
    expect(bytesOf(await collect(say('Yes.')))).toBe(1_600);
    expect(server.connections).toHaveLength(2);
  });

  it('repeats on a new connection an utterance that was lost before its first audio', async () => {
    const { server, say } = await setUp({ faults: [{ breakAfterPieces: 0 }] });
    expect(bytesOf(await collect(say('Good', 'morning.')))).toBe('Good morning. '.length * 320);
    expect(server.connections).toHaveLength(2);
  });

  it('reconnects for the next utterance when the connection was lost while idle', async () => {
    const { server, say } = await setUp();
    await collect(say('One.'));
    server.cutConnections();
    await until(() => server.connections[0]?.closed === true);
    expect(bytesOf(await collect(say('Two.')))).toBe(1_600);
  });

  it('gives up after three attempts in a row', async () => {
    const faults = Array.from({ length: 5 }, () => ({ status: 503 }));
    const { say } = await setUp({ faults });
    await expect(collect(say('Yes.'))).rejects.toMatchObject({ fault: 'unavailable', status: 503 });
  });

  it.each([
    [{ status: 401 }, 'auth'],
    [{ error: 'invalid_api_key' }, 'auth'],
    [{ error: 'quota_exceeded' }, 'quota'],
    [{ error: 'voice_not_found' }, 'invalid_request'],
    [{ error: 'voice_id_does_not_exist' }, 'invalid_request'],
    ['mute', 'protocol'],
  ] as const)('fails the utterance at once after the fault %j', async (fault, expected) => {
    const { say } = await setUp({ faults: [fault, fault] });
    await expect(collect(say('Yes.'))).rejects.toMatchObject({ fault: expected, retryable: false });
  });

  it('removes a key that the service repeats from its errors', async () => {
    const { say } = await setUp({ faults: Array(4).fill({ error: 'no el-key here' }) });
    const error = await collect(say('Yes.')).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('no [redacted] here') });
    expect(inspect(error, { depth: 10 })).not.toContain('el-key');
  });

  it('ignores invalid messages', async () => {
    const { say } = await setUp({ faults: ['garbage'] });
    expect(bytesOf(await collect(say('Yes.')))).toBe(1_600);
  });

  it('fails an utterance without a response of the service', async () => {
    const clock = new VirtualClock();
    const { server, say } = await setUp({ faults: ['hang'], clock });
    const outcome = collect(say('Yes.')).catch((thrown: unknown) => thrown);
    await until(() => server.connections[0]?.messages.length === 3);
    await clock.advance(10_000);
    expect(await outcome).toMatchObject({ fault: 'timeout', retryable: true });
  });

  it('keeps an idle connection alive before the service disconnects, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const { server, session, say } = await setUp({ clock });
    await collect(say('Yes.'));
    const before = server.connections[0]?.messages.length ?? 0;
    await pass(clock, 60_000);
    await until(() => server.connections[0]?.messages.length === before + 1);
    expect(server.connections[0]?.messages.at(-1)).toEqual({ text: '' });
    const open = session.speak();
    open.push('One moment.');
    await collectFirst(open);
    await pass(clock, 60_000);
    await until(() => server.connections[0]?.messages.at(-1)?.text === '');
    expect(server.connections[0]?.messages.at(-1)).toEqual({ text: '', context_id: 'utterance-2' });
    session.close();
    await until(() => server.connections[0]?.closed === true && clock.pending === 0);
  });

  it('ends its utterances, and an empty one, when the call ends', async () => {
    const { server, session, call } = await setUp({ faults: ['hang'] });
    const [utterance, empty] = [session.speak(), session.speak()];
    utterance.push('Good morning.');
    empty.end();
    expect(await collect(empty)).toEqual([]);
    await until(() => server.connections.length === 1);
    call.abort();
    expect(await collect(utterance)).toEqual([]);
    await until(() => server.connections[0]?.closed === true);
  });

  it("uses the organization's key for the organization's calls", async () => {
    const server = await ElevenLabsServer.start();
    closers.push(() => server.close());
    const provider = elevenlabs({ apiKey: 'el-host', baseUrl: server.url });
    for (const own of [{}, { apiKey: 'el-customer' }]) {
      const session = provider.open({
        ...common(),
        ...own,
        config: { provider: 'elevenlabs' },
        format: { encoding: 'pcmu', sampleRateHz: 8_000 },
      });
      closers.push(() => session.close());
      const utterance = session.speak();
      utterance.push('Hello.');
      utterance.end();
      await collect(utterance);
    }
    expect(server.connections.map(({ headers }) => headers['xi-api-key'])).toEqual(['el-host', 'el-customer']);
  });

  it('fails without a key', () => {
    const { ELEVENLABS_API_KEY: saved } = process.env;
    delete process.env.ELEVENLABS_API_KEY;
    const format = { encoding: 'pcmu', sampleRateHz: 8_000 } as const;
    const opening = () => elevenlabs().open({ ...common(), config: { provider: 'elevenlabs' }, format });
    expect(opening).toThrow(/ELEVENLABS_API_KEY/);
    if (saved !== undefined) process.env.ELEVENLABS_API_KEY = saved;
  });
});
