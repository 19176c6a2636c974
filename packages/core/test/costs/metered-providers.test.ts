import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { meteredReply } from '../../src/costs/metered-reply.ts';
import { meteredSession } from '../../src/costs/metered-session.ts';
import { PriceList } from '../../src/costs/price-list.ts';
import { UsageMeter } from '../../src/costs/usage-meter.ts';
import type { LlmEvent, LlmRequest } from '../../src/ports/providers/language-model.ts';
import type { TtsEvent, TtsUtterance } from '../../src/ports/providers/text-to-speech.ts';
import { readAll } from '../providers/support.ts';

const source = { provider: 'openai', model: 'mini', ownKey: false };
const clock = new VirtualClock();

let meter: UsageMeter;
let leaving: AbortController;

beforeEach(() => {
  meter = new UsageMeter(new PriceList({ currency: 'EUR', prices: [] }), clock);
  leaving = new AbortController();
});

/** Counted quantities; estimates as negative numbers. */
function counted(): Record<string, number> {
  const items = meter.items();
  return Object.fromEntries(items.map(({ kind, quantity, is_estimate }) => [kind, is_estimate ? -quantity : quantity]));
}

/** A request of 8 estimated tokens: 4 for its text and 4 for the message. */
function requestOf(tools: LlmRequest['tools'] = []): LlmRequest {
  const config = { provider: 'openai', messages: [], tools: [] };
  const messages = [{ role: 'user' as const, content: 'x'.repeat(16) }];
  return { config, messages, tools, signal: leaving.signal, clock, logger: silentLogger };
}

const text = (content: string): LlmEvent => ({ type: 'text', text: content });
const call: LlmEvent = { type: 'tool-call', call: { id: '1', name: 'book', arguments: '{"a":1} ' } };
const usage: LlmEvent = { type: 'usage', usage: { inputTokens: 100, outputTokens: 20 } };

async function* replyOf(events: readonly LlmEvent[], failure?: Error): AsyncGenerator<LlmEvent> {
  yield* events;
  if (failure !== undefined) throw failure;
}

const metered = (events: AsyncIterable<LlmEvent>, request = requestOf()): AsyncIterable<LlmEvent> =>
  meteredReply(events, request, { meter, source });

describe('meteredReply', () => {
  it('passes the events on, and counts what the provider reports', async () => {
    const events = [text('Hello.'), call, usage];
    expect(await readAll(metered(replyOf(events)))).toEqual({ events, error: null });
    expect(counted()).toEqual({ input_tokens: 100, output_tokens: 20 });
  });

  it('counts the first report alone', async () => {
    await readAll(metered(replyOf([usage, usage])));
    expect(counted()).toEqual({ input_tokens: 100, output_tokens: 20 });
  });

  it('estimates text and tool calls of a provider that reports nothing', async () => {
    await readAll(metered(replyOf([text('abcd'), text('efgh'), call])));
    expect(counted()).toEqual({ input_tokens: -8, output_tokens: -5 });
  });

  it('estimates the tools of the request as input', async () => {
    const tools = [{ name: 'book', description: '', parameters: {} }];
    await readAll(metered(replyOf([text('abcd')]), requestOf(tools)));
    expect(counted().input_tokens).toBe(-(8 + Math.ceil(JSON.stringify(tools).length / 4)));
  });

  it('counts nothing for a request that fails without output', async () => {
    const { error } = await readAll(metered(replyOf([], new Error('refused'))));
    expect(error).toMatchObject({ message: 'refused' });
    expect(counted()).toEqual({});
  });

  it('estimates what was written before a failure', async () => {
    const { error } = await readAll(metered(replyOf([text('abcd')], new Error('lost'))));
    expect(error).toMatchObject({ message: 'lost' });
    expect(counted()).toEqual({ input_tokens: -8, output_tokens: -1 });
  });

  it('counts a reply that is cancelled before its first event', async () => {
    const iterator = metered(silent())[Symbol.asyncIterator]();
    void iterator.next();
    leaving.abort();
    expect(counted()).toEqual({ input_tokens: -8 });
  });

  it('counts a reply that is not read to its end, once', async () => {
    for await (const _event of metered(replyOf([text('abcd'), text('efgh')]))) break;
    leaving.abort();
    expect(counted()).toEqual({ input_tokens: -8, output_tokens: -1 });
  });

  it('does not count a finished reply again when its signal aborts', async () => {
    await readAll(metered(replyOf([usage])));
    leaving.abort();
    expect(counted()).toEqual({ input_tokens: 100, output_tokens: 20 });
  });
});

async function* silent(): AsyncGenerator<LlmEvent> {
  await new Promise(() => {});
}

describe('meteredSession', () => {
  const pushed: string[] = [];
  const audioOf = (bytes: number): TtsEvent => ({ type: 'audio', audio: new Uint8Array(bytes) });

  function utteranceOf(events: readonly TtsEvent[]): TtsUtterance {
    return {
      push: (each) => void pushed.push(each),
      end: () => void pushed.push('<end>'),
      cancel: () => void pushed.push('<cancel>'),
      async *[Symbol.asyncIterator]() {
        yield* events;
      },
    };
  }

  function speak(events: readonly TtsEvent[]): TtsUtterance {
    pushed.length = 0;
    const session = { speak: () => utteranceOf(events), close: () => void pushed.push('<close>') };
    return meteredSession(session, 'pcmu', { meter, source }).speak();
  }

  it('counts characters, of which a surrogate pair is one, and passes them on', () => {
    const utterance = speak([]);
    utterance.push('Hi \u{1F600}');
    utterance.push('é');
    utterance.end();
    expect(pushed).toEqual(['Hi \u{1F600}', 'é', '<end>']);
    expect(counted()).toEqual({ tts_characters: 5 });
  });

  it('counts the characters of a cancelled utterance', () => {
    const utterance = speak([]);
    utterance.push('Hello.');
    utterance.cancel();
    expect(pushed).toEqual(['Hello.', '<cancel>']);
    expect(counted()).toEqual({ tts_characters: 6 });
  });

  it('counts the duration of the audio that was read', async () => {
    const events = [audioOf(8_000), audioOf(160), audioOf(8_000)];
    let read = 0;
    for await (const _event of speak(events)) {
      read += 1;
      if (read === 2) break;
    }
    expect(counted()).toEqual({ tts_seconds: 1.02 });
  });
});
