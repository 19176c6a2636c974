import { type Clock, systemClock, type TtsEvent, type TtsSession, type TtsUtterance } from '@va/core/adapter';
import { elevenlabs } from '@va/providers/elevenlabs';
import { VirtualClock } from '@va/testkit';
import { type ElevenLabsBehaviour, type ElevenLabsFault, ElevenLabsServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { collect, common, pass, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(
  behaviour: Partial<ElevenLabsBehaviour> = {},
  { faults = [], clock = systemClock }: { faults?: readonly ElevenLabsFault[]; clock?: Clock } = {},
) {
  const server = await ElevenLabsServer.start(behaviour);
  server.failNext(...faults);
  const session = elevenlabs({ apiKey: 'key', baseUrl: server.url }).open({
    ...common(),
    clock,
    config: { provider: 'elevenlabs' },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
  });
  closers.push(
    () => server.close(),
    () => session.close(),
  );
  return { server, session };
}

function say(session: TtsSession, text: string): TtsUtterance {
  const utterance = session.speak();
  utterance.push(text);
  utterance.end();
  return utterance;
}

/** Speaks an utterance that is cancelled at its first audio, as an interrupted reply is. */
async function interrupt(session: TtsSession, text: string): Promise<void> {
  const utterance = session.speak();
  utterance.push(text);
  for await (const event of utterance) if (event.type === 'audio') utterance.cancel();
}

const bytesOf = (events: readonly TtsEvent[]) =>
  events.reduce((sum, event) => sum + (event.type === 'audio' ? event.audio.length : 0), 0);
const wordsOf = (events: readonly TtsEvent[]) =>
  events.flatMap((event) => (event.type === 'words' ? event.words : [])).map(({ text }) => text);

describe.each(['drain', 'held', 'at-once'] as const)('contexts of elevenlabs with ending %s', (mood) => {
  it('stay within the limit when replies are interrupted in a row', async () => {
    const { server, session } = await setUp({ closedContexts: mood });
    for (let turn = 0; turn < 12; turn++) await interrupt(session, `Reply number ${turn} goes on for a while.`);
    const last = session.speak();
    last.push('Still here.');
    const events: TtsEvent[] = [];
    for await (const event of last) {
      events.push(event);
      if (bytesOf(events) === 'Still here. '.length * 320) break;
    }
    expect(bytesOf(events)).toBe('Still here. '.length * 320);
    expect(server.connections.every(({ mostOpen }) => mostOpen <= 5)).toBe(true);
  });
});

describe('contexts of elevenlabs', () => {
  it('wait for a draining context while another one is still spoken', async () => {
    const { server, session } = await setUp({ closedContexts: 'held' });
    const speaking = session.speak();
    speaking.push('This goes on.');
    const reading = collect(speaking);
    for (let at = 0; at < 4; at++) await interrupt(session, `Reply ${at}.`);
    const next = collect(say(session, 'Next.'));
    await until(() => (server.connections[0]?.messages.length ?? 0) >= 14);
    server.release();
    await until(() => server.connections[0]?.messages.some(({ text }) => text === 'Next. ') === true);
    speaking.end();
    await until(() => server.connections[0]?.messages.filter(({ close_context: is }) => is === true).length === 6);
    server.release();
    expect(bytesOf(await next)).toBe('Next. '.length * 320);
    expect(bytesOf(await reading)).toBe('This goes on. '.length * 320);
    expect(server.connections).toHaveLength(1);
  });

  it('count as gone five seconds after closing without isFinal', async () => {
    const clock = new VirtualClock();
    const { server, session } = await setUp({ closedContexts: 'held' }, { clock });
    const speaking = session.speak();
    speaking.push('This goes on.');
    collect(speaking).catch(() => undefined);
    for (let at = 0; at < 4; at++) await interrupt(session, `Reply ${at}.`);
    const texts = () => server.connections[0]?.messages.map(({ text }) => text) ?? [];
    say(session, 'Next.');
    await pass(clock, 4_000);
    expect(texts()).not.toContain('Next. ');
    await pass(clock, 1_000);
    // The service disagrees: it rejects the sixth context, and the text is spoken on another connection.
    await until(() => server.connections[0]?.closed === true);
    await pass(clock, 1_000);
    await until(() => server.connections[1]?.messages.some(({ text }) => text === 'Next. ') === true);
  });

  it.each(['max_active_conversations', 'invalid_input_message', 'a_word_that_nobody_knows'])(
    'move to another connection after %s and speak what has no audio yet',
    async (error) => {
      const { server, session } = await setUp({}, { faults: [{ error }] });
      expect(bytesOf(await collect(say(session, 'Good morning.')))).toBe('Good morning. '.length * 320);
      expect(server.connections).toHaveLength(2);
    },
  );

  it('fail when every connection responds with the same error', async () => {
    const faults = Array.from({ length: 4 }, () => ({ error: 'system_busy' }));
    const { session } = await setUp({}, { faults });
    await expect(collect(say(session, 'Yes.'))).rejects.toMatchObject({ fault: 'unavailable', retryable: true });
  });

  it.each([
    ['voice_id_does_not_exist', 'invalid_request'],
    ['something_else', 'unavailable'],
  ])('fail one by one with the error %s, which names a context', async (contextError, fault) => {
    const { server, session } = await setUp({}, { faults: [{ contextError }] });
    const opened = session.speak();
    const failing = collect(say(session, 'Good morning.'));
    await expect(failing).rejects.toMatchObject({ fault });
    opened.cancel();
    expect(server.connections[0]?.closed).toBe(false);
  });

  it.each(['per-piece', 'sparse', 'repeated'] as const)(
    'report each word once when alignments are %s',
    async (mood) => {
      const { session } = await setUp({ alignment: mood });
      const text = 'No, no, no: your table for four is booked at eight.';
      const events = await collect(say(session, text));
      expect(wordsOf(events)).toEqual(text.split(' '));
      const words = events.flatMap((event) => (event.type === 'words' ? event.words : []));
      expect(words.map(({ startMs }) => startMs)).toEqual(
        text.split(' ').map((_, at, all) => all.slice(0, at).join(' ').length * 40 + (at === 0 ? 0 : 40)),
      );
    },
  );
});

describe('models of elevenlabs', () => {
  const provider = elevenlabs({ apiKey: 'key', baseUrl: 'ws://127.0.0.1:1' });

  it('exclude eleven_v3, which has no WebSocket, when an agent is written and when a call opens', () => {
    expect(provider.optionsSchema?.safeParse({ model: 'eleven_v3' }).error?.issues[0]?.message).toContain('eleven_v3');
    const open = () =>
      provider.open({
        ...common(),
        config: { provider: 'elevenlabs', model: 'eleven_v3' },
        format: { encoding: 'pcmu', sampleRateHz: 8_000 },
      });
    expect(open).toThrow('not available over WebSockets');
  });
});
