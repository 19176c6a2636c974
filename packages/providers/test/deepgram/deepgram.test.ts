import type { SttEvent, SttStream } from '@va/core/adapter';
import { deepgram } from '@va/providers/deepgram';
import { VirtualClock } from '@va/testkit';
import { type DeepgramFault, DeepgramServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';

const frame = new Uint8Array(160).fill(0x55);
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(turns: string[], ...faults: DeepgramFault[]) {
  const server = await DeepgramServer.start({ turns });
  server.failNext(...faults);
  const call = new AbortController();
  const stream = deepgram({ apiKey: 'dg-key', baseUrl: server.url, headers: { 'x-team': 'voice' } }).open({
    ...common(call.signal),
    config: { provider: 'deepgram', language: 'en' },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    hints: ['Trattoria', 'ossobuco'],
  });
  closers.push(
    () => server.close(),
    () => stream.close(),
  );
  return { server, call, stream, reader: stream[Symbol.asyncIterator]() };
}

function speak(stream: SttStream, frames: number): void {
  for (let i = 0; i < frames; i++) stream.send(frame);
}

async function untilFinalized(reader: AsyncIterator<SttEvent>): Promise<SttEvent[]> {
  const events: SttEvent[] = [];
  while (events.at(-1)?.type !== 'finalized') {
    const { value, done } = await reader.next();
    if (done) break;
    events.push(value);
  }
  return events;
}

const settled = (text: string): SttEvent[] => [{ type: 'final', text }, { type: 'finalized' }];

describe('deepgram', () => {
  it('emits partials as words arrive, and settles a turn when it is finalized', async () => {
    const { stream, reader } = await setUp(['a table for two', 'on friday']);
    speak(stream, 25);
    stream.finalize();
    expect(await untilFinalized(reader)).toEqual([
      { type: 'partial', text: 'a' },
      { type: 'partial', text: 'a table' },
      ...settled('a table for two'),
    ]);
    speak(stream, 10);
    stream.finalize();
    expect(await untilFinalized(reader)).toEqual([{ type: 'partial', text: 'on' }, ...settled('on friday')]);
  });

  it('connects with the documented parameters', async () => {
    const { server, stream } = await setUp(['yes']);
    speak(stream, 1);
    await until(() => server.connections[0]?.audioBytes === 160);
    const { query, headers } = server.connections[0] ?? {};
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      model: 'nova-3',
      encoding: 'mulaw',
      sample_rate: '8000',
      interim_results: 'true',
      language: 'en',
      // The pipeline ends turns: with the vendor's own endpointing a Finalize would find nothing, and get no response.
      endpointing: 'false',
      smart_format: 'true',
      no_delay: 'true',
    });
    expect(query?.getAll('keyterm')).toEqual(['Trattoria', 'ossobuco']);
    expect(headers).toMatchObject({ authorization: 'Token dg-key', 'x-team': 'voice' });
  });

  it('sends CloseStream when it is closed, and emits nothing more', async () => {
    const { server, stream, reader } = await setUp(['yes']);
    speak(stream, 1);
    await until(() => server.connections[0]?.audioBytes === 160);
    stream.finalize();
    stream.close();
    expect(await untilFinalized(reader)).toEqual([]);
    await until(() => server.connections[0]?.closed === true);
    expect(server.connections[0]?.controls.at(-1)).toBe('CloseStream');
  });

  it('continues after a lost connection in the middle of a word, with the audio before it', async () => {
    const { server, stream, reader } = await setUp(['good morning'], { breakAfterBytes: 2_400 });
    speak(stream, 20);
    await until(() => server.connections.length === 2);
    stream.finalize();
    expect((await untilFinalized(reader)).slice(-2)).toEqual(settled('good morning'));
    expect(server.connections[1]?.audioBytes).toBe(20 * 160);
  });

  it('gives up after three attempts in a row', async () => {
    const refusal = { status: 503 };
    const { stream, reader } = await setUp(['yes'], refusal, refusal, refusal, refusal);
    speak(stream, 1);
    await expect(reader.next()).rejects.toMatchObject({ fault: 'unavailable', status: 503 });
  });

  it.each([
    [401, 'auth'],
    [402, 'quota'],
    [400, 'invalid_request'],
  ] as const)('fails at once when the connection is rejected with %i', async (status, fault) => {
    const { server, reader } = await setUp(['yes'], { status });
    await expect(reader.next()).rejects.toMatchObject({ fault, status, retryable: false });
    expect(server.connections).toHaveLength(0);
  });

  it('uses the last partial as final when the server never responds to a finalize', async () => {
    const { server, stream, reader } = await setUp(['hello there'], 'silent-finalize');
    speak(stream, 20);
    await until(() => server.connections[0]?.audioBytes === 3_200);
    stream.finalize();
    expect((await untilFinalized(reader)).slice(-2)).toEqual(settled('hello there'));
  });

  it('ignores invalid messages', async () => {
    const { stream, reader } = await setUp(['hello'], 'garbage');
    speak(stream, 10);
    stream.finalize();
    expect(await untilFinalized(reader)).toEqual([{ type: 'partial', text: 'hello' }, ...settled('hello')]);
  });

  it('ends without an event when the call is aborted', async () => {
    const { call, stream, reader } = await setUp(['yes']);
    speak(stream, 10);
    call.abort();
    expect(await untilFinalized(reader)).toEqual([]);
  });

  it("uses the organization's key for the organization's calls", async () => {
    const server = await DeepgramServer.start();
    closers.push(() => server.close());
    const provider = deepgram({ apiKey: 'dg-host', baseUrl: server.url });
    for (const own of [{}, { apiKey: 'dg-customer' }]) {
      const before = server.connections.length;
      const stream = provider.open({
        ...common(),
        ...own,
        config: { provider: 'deepgram' },
        format: { encoding: 'pcmu', sampleRateHz: 8_000 },
        hints: [],
      });
      closers.push(() => stream.close());
      await until(() => server.connections.length > before);
    }
    expect(server.connections.map(({ headers }) => headers.authorization)).toEqual([
      'Token dg-host',
      'Token dg-customer',
    ]);
  });

  it('fails without a key', () => {
    const { DEEPGRAM_API_KEY: saved } = process.env;
    delete process.env.DEEPGRAM_API_KEY;
    const opening = () =>
      deepgram().open({
        ...common(),
        config: { provider: 'deepgram' },
        format: { encoding: 'pcmu', sampleRateHz: 8_000 },
        hints: [],
      });
    expect(opening).toThrow(/DEEPGRAM_API_KEY/);
    if (saved !== undefined) process.env.DEEPGRAM_API_KEY = saved;
  });
});

describe('connection to deepgram', () => {
  it('is kept alive while no audio is sent, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const server = await DeepgramServer.start();
    closers.push(() => server.close());
    const stream = deepgram({ apiKey: 'dg-key', baseUrl: server.url }).open({
      ...common(),
      clock,
      config: { provider: 'deepgram' },
      format: { encoding: 'pcmu', sampleRateHz: 8_000 },
      hints: [],
    });
    stream.send(frame);
    await until(() => server.connections[0]?.audioBytes === 160);
    await clock.advance(9_000);
    await until(() => server.connections[0]?.controls.length === 2);
    expect(server.connections[0]?.controls).toEqual(['KeepAlive', 'KeepAlive']);
    stream.close();
    await until(() => server.connections[0]?.closed === true && clock.pending === 0);
  });
});
