import { type Clock, type RealtimeEvent, systemClock } from '@va/core/adapter';
import { geminiLive } from '@va/providers/gemini';
import { VirtualClock } from '@va/testkit';
import { type GeminiFault, GeminiServer, type GeminiServerOptions } from '@va/testkit/provider-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Activity } from '../../src/gemini/activity.ts';
import { Generation } from '../../src/gemini/generation.ts';
import { common, pass, until } from '../options.ts';

interface SetUp extends GeminiServerOptions {
  readonly faults?: readonly GeminiFault[];
  readonly clock?: Clock;
}

async function setUp({ faults = [], clock = systemClock, ...script }: SetUp = {}) {
  const server = await GeminiServer.start(script);
  server.failNext(...faults);
  const model = geminiLive({ apiKey: 'host-key', baseUrl: server.url });
  const session = model.open({
    ...common(),
    clock,
    config: { provider: model.id, messages: [], tools: [] },
    instructions: 'Be brief.',
    tools: [],
    history: [],
    inputFormat: { encoding: 'pcm16', sampleRateHz: 16_000 },
    outputFormat: { encoding: 'pcm16', sampleRateHz: 24_000 },
  });
  onTestFinished(async () => {
    session.close();
    await server.close();
  });
  const events: RealtimeEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of session) events.push(event);
  };
  read().catch(() => undefined);
  return { server, session, events };
}

const audioFrame = new Uint8Array(640).fill(1);
const isReady = (server: GeminiServer, connection: number) => server.connections[connection]?.setup.model !== undefined;
const texts = (server: GeminiServer, connection: number): unknown[] =>
  (server.connections[connection]?.messages ?? []).flatMap(({ realtimeInput }) =>
    realtimeInput !== undefined && 'text' in (realtimeInput as object)
      ? [Reflect.get(realtimeInput as object, 'text')]
      : [],
  );

describe('session of gemini', () => {
  it('keeps a message that is added before the service has accepted the setup', async () => {
    const { server, session, events } = await setUp();
    session.addMessage('system', 'The caller is a member.');
    session.respond(1, { withTools: false });
    await until(() => events.some(({ type }) => type === 'response-done'));
    expect(texts(server, 0)).toEqual(['The caller is a member.']);
  });

  it('connects again when the setup is not accepted within 5 s', async () => {
    const clock = new VirtualClock();
    const { server } = await setUp({ faults: ['no-setup'], clock });
    await until(() => isReady(server, 0));
    await pass(clock, 4_000);
    expect(server.connections).toHaveLength(1);
    await pass(clock, 4_000);
    await until(() => isReady(server, 1));
  });

  it('connects again when an interrupted reply is not ended within 2 s', async () => {
    const clock = new VirtualClock();
    const replies = [{ text: 'One two three.', holdAfterWords: 1 }];
    const { server, session, events } = await setUp({ faults: ['no-end'], replies, clock });
    session.respond(1, { withTools: false });
    await until(() => events.some(({ type }) => type === 'audio'));
    session.cancel(1);
    await clock.advance(1_999);
    expect(server.connections).toHaveLength(1);
    await pass(clock, 4_000);
    await until(() => isReady(server, 1));
  });

  it('connects again after a frame beyond 16 MiB', async () => {
    const { server } = await setUp({ faults: ['huge-frame'] });
    await until(() => isReady(server, 1));
  });

  it('connects again when the service accepts no more data', async () => {
    const { server, session } = await setUp({ faults: ['deaf'] });
    await until(() => isReady(server, 0));
    for (let sent = 0; server.connections.length === 1; sent += 1) {
      session.send(audioFrame);
      if (sent % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => isReady(server, 1));
  });
});

describe('Activity', () => {
  it('keeps the last 30 s of audio and the last 50 texts', () => {
    const sent: Record<string, unknown>[] = [];
    const activity = new Activity((input) => sent.push(input), 16_000);
    for (let frame = 0; frame < 31 * 50; frame++) activity.addAudio(audioFrame);
    for (let text = 1; text <= 60; text++) activity.addText(`text ${text}`);
    activity.end([]);
    const bytes = sent.flatMap(({ audio }) =>
      audio === undefined ? [] : [Buffer.from(String(Reflect.get(audio as object, 'data')), 'base64').length],
    );
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBe(30 * 32_000);
    expect(Math.max(...bytes)).toBe(32_000);
    const said = sent.flatMap(({ text }) => (text === undefined ? [] : [text]));
    expect([said.length, said[0], said.at(-1)]).toEqual([50, 'text 11', 'text 60']);
  });
});

describe('Generation', () => {
  it.each([
    [-50, '(Your last reply was interrupted. The caller heard nothing of it)', ''],
    [1_000_000, undefined, 'One two three four.'],
  ])('limits a truncation at %i ms to its speech', (heardMs, note, text) => {
    const request = { response: 1, withTools: false, say: undefined, activity: undefined };
    const exchange = new Generation(request, new Activity(() => undefined, 16_000), 'item-1');
    exchange.entry = { kind: 'message', role: 'assistant', text: 'One two three four.' };
    exchange.receivedBytes = 48_000;
    expect(exchange.truncate(heardMs)).toBe(note);
    expect(exchange.entry.text).toBe(text);
  });
});
