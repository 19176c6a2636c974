import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src/async/event-queue.ts';
import {
  instructionsOf,
  RealtimePipeline,
  type RealtimePipelineOptions,
} from '../../../src/conversation/runner/realtime-pipeline.ts';
import type { EventInput } from '../../../src/conversation/runner/runner.ts';
import type { VoiceEffect } from '../../../src/conversation/state/effects.ts';
import { ProviderError } from '../../../src/errors.ts';
import type { RealtimeEvent, RealtimeSession } from '../../../src/ports/providers/realtime-model.ts';
import { untyped } from '../../support/untyped.ts';
import { playoutCalls } from './pipeline-parts.ts';

let clock: VirtualClock;
let over: AbortController;
let events: EventQueue<RealtimeEvent>;
let dispatched: EventInput[];
/** Commands of the session. */
let sent: unknown[];
let played: string[];
let failures: unknown[];

beforeEach(() => {
  clock = new VirtualClock();
  over = new AbortController();
  events = new EventQueue();
  [dispatched, sent, played, failures] = [[], [], [], []];
});

function pipeline(parts: Partial<RealtimePipelineOptions> = {}) {
  const command =
    (name: string) =>
    (...values: unknown[]): void =>
      void sent.push([name, ...values]);
  const session: RealtimeSession = Object.assign(events, {
    commit: command('commit'),
    addMessage: command('message'),
    addToolResult: command('tool-result'),
    respond: command('respond'),
    cancel: command('cancel'),
    truncate: command('truncate'),
    update: command('update'),
    close: command('close'),
    send: ([first]: Uint8Array) => void sent.push(['send', first]),
  });
  const calls = (name: string) => (value?: unknown) =>
    void played.push(value === undefined ? name : `${name} ${value}`);
  let encoders = 0;
  const made = new RealtimePipeline({
    runner: untyped({ dispatch: (event: EventInput) => void dispatched.push(event) }),
    session,
    playout: untyped({
      ...playoutCalls(calls),
      play: (id: number, [encoder]: Uint8Array) => void played.push(`play ${id} by encoder ${encoder}`),
    }),
    bytesPerMs: 8,
    decode: (payload) => payload,
    createEncoder() {
      encoders += 1;
      const encoder = encoders;
      return (audio) => new Uint8Array(audio.length).fill(encoder);
    },
    runTool: async () => ({ ok: true, result: 'found' }),
    onFailure: (thrown) => void failures.push(thrown),
    clock,
    logger: silentLogger,
    signal: over.signal,
    ...parts,
  });
  const handle = (...effects: VoiceEffect[]): void => {
    for (const effect of effects) made.handle(effect);
  };
  const frame = (n: number): void => made.onFrame(new Uint8Array(160).fill(n));
  return { handle, frame };
}

const respond = (generation: number): VoiceEffect => ({ type: 'start-llm', generation, messages: [], withTools: true });
const open = (utterance: number, generation: number | null): VoiceEffect => ({
  type: 'open-utterance',
  utterance,
  generation,
  fixed: false,
});
const readOut = (utterance: number, ...texts: string[]): VoiceEffect[] => [
  open(utterance, null),
  ...texts.map((text): VoiceEffect => ({ type: 'speak', utterance, text })),
  { type: 'end-utterance', utterance },
];
const audio = (response: number, ms: number, item = 'i-1'): RealtimeEvent => ({
  type: 'audio',
  response,
  item,
  audio: new Uint8Array(8 * ms),
});
const done = (response: number): RealtimeEvent => ({ type: 'response-done', response, status: 'completed' });

async function hear(...heard: RealtimeEvent[]): Promise<void> {
  for (const event of heard) events.push(event);
  await clock.advance(0);
}

describe('the audio of the caller', () => {
  it('is sent from 400 ms before the start of speech to its end', () => {
    const { handle, frame } = pipeline();
    for (let n = 1; n <= 30; n += 1) frame(n);
    expect(sent).toEqual([]);
    handle({ type: 'stt-speech-started' });
    expect(sent.map((each) => (each as unknown[])[1])).toEqual(Array.from({ length: 20 }, (_, n) => n + 11));
    frame(31);
    handle({ type: 'finalize-stt', part: 1, awaited: [] });
    frame(32);
    expect(sent.slice(-2)).toEqual([
      ['send', 31],
      ['commit', 1],
    ]);
  });

  it('is never sent if it arrived during a mute or before it', () => {
    const { handle, frame } = pipeline();
    frame(1);
    handle({ type: 'caller-muted', isMuted: true });
    frame(2);
    handle({ type: 'caller-muted', isMuted: false });
    frame(3);
    handle({ type: 'stt-speech-started' });
    expect(sent).toEqual([['send', 3]]);
  });

  it('is copied, because the line may overwrite its buffer', () => {
    const buffer = new Uint8Array(160);
    const { handle, frame } = pipeline({ decode: (payload) => buffer.fill(payload[0] ?? 0) });
    for (const n of [1, 2]) frame(n);
    handle({ type: 'stt-speech-started' });
    expect(sent).toEqual([
      ['send', 1],
      ['send', 2],
    ]);
  });
});

describe('a reply of the model', () => {
  it('is voiced in the utterance that the conversation opens for it', async () => {
    const { handle } = pipeline();
    handle(respond(1));
    expect(sent).toEqual([['respond', 1, { withTools: true }]]);
    await hear({ type: 'text', response: 1, item: 'i-1', text: 'Hi.' });
    handle(open(5, 1));
    await hear(audio(1, 20), audio(1, 40), done(1));
    expect(dispatched).toEqual([
      { type: 'llm-text', generation: 1, text: 'Hi.' },
      { type: 'tts-audio', utterance: 5, durationMs: 20 },
      { type: 'tts-audio', utterance: 5, durationMs: 40 },
      { type: 'llm-done', generation: 1 },
      { type: 'tts-done', utterance: 5 },
    ]);
    expect(played).toEqual(['open 5', 'play 5 by encoder 1', 'play 5 by encoder 1']);
  });

  it('begins with its first audio if that precedes its words', async () => {
    const { handle } = pipeline({
      runner: untyped({
        dispatch(event: EventInput) {
          dispatched.push(event);
          if (event.type === 'llm-text') handle(open(5, 1));
        },
      }),
    });
    handle(respond(1));
    await hear(audio(1, 20));
    expect(dispatched).toEqual([
      { type: 'llm-text', generation: 1, text: '' },
      { type: 'tts-audio', utterance: 5, durationMs: 20 },
    ]);
  });

  it('is converted by an encoder of its own', async () => {
    const { handle } = pipeline();
    handle(respond(1), open(5, 1), respond(2), open(6, 2));
    await hear(audio(1, 20), audio(2, 20));
    expect(played.slice(2)).toEqual(['play 5 by encoder 1', 'play 6 by encoder 2']);
  });

  it('dispatches its tool calls, and sends their outputs to the model', async () => {
    const call = { id: 'c-1', name: 'lookup', arguments: '{}' };
    const { handle } = pipeline();
    handle(respond(1));
    await hear({ type: 'tool-call', response: 1, call }, done(1));
    expect(dispatched).toEqual([
      { type: 'llm-tool-call', generation: 1, call },
      { type: 'llm-done', generation: 1 },
    ]);
    handle({ type: 'tool-output', callId: 'c-1', output: 'found' });
    expect(sent.at(-1)).toEqual(['tool-result', 'c-1', 'found']);
  });

  it('ends its utterance when it fails', async () => {
    const { handle } = pipeline();
    handle(respond(1), open(5, 1));
    await hear({ type: 'response-failed', response: 1, retryable: true, message: 'overloaded' }, audio(1, 20));
    expect(dispatched).toEqual([
      { type: 'llm-failed', generation: 1, retryable: true, message: 'overloaded' },
      { type: 'tts-done', utterance: 5 },
    ]);
  });

  it('is cancelled once, and dispatches nothing afterwards', async () => {
    const { handle } = pipeline();
    handle(respond(1), open(5, 1));
    handle({ type: 'cancel-llm', generation: 1 }, { type: 'cancel-utterance', utterance: 5 });
    await hear(audio(1, 20), done(1));
    expect(sent.slice(1)).toEqual([['cancel', 1]]);
    expect(dispatched).toEqual([]);
  });

  it('is not cancelled after its end', async () => {
    const { handle } = pipeline();
    handle(respond(1));
    await hear(done(1));
    handle({ type: 'cancel-llm', generation: 1 });
    expect(sent).toHaveLength(1);
  });
});

describe('a fixed text', () => {
  it('is read out as a response of its own, without tools', async () => {
    const { handle } = pipeline();
    handle(...readOut(5, 'Good day.', 'How can I help?'));
    expect(sent).toEqual([['respond', 5, { withTools: false, say: 'Good day. How can I help?' }]]);
    await hear({ type: 'text', response: 5, item: 'i-1', text: 'Good day.' }, audio(5, 20), done(5));
    expect(dispatched).toEqual([
      { type: 'tts-audio', utterance: 5, durationMs: 20 },
      { type: 'tts-done', utterance: 5 },
    ]);
  });

  it('is reported as a failed synthesis if the model cannot read it out', async () => {
    const { handle } = pipeline();
    handle(...readOut(5, 'Good day.'));
    await hear({ type: 'response-failed', response: 5, retryable: false, message: 'refused' });
    expect(dispatched).toEqual([{ type: 'tts-failed', utterance: 5, retryable: false, message: 'refused' }]);
  });

  it('is not requested if it is cancelled before its end', () => {
    const { handle } = pipeline();
    handle(open(5, null), { type: 'speak', utterance: 5, text: 'Good day.' });
    handle({ type: 'cancel-utterance', utterance: 5 }, { type: 'end-utterance', utterance: 5 });
    expect(sent).toEqual([]);
  });

  it('is cancelled while it is read out', () => {
    const { handle } = pipeline();
    handle(...readOut(5, 'Good day.'), { type: 'cancel-utterance', utterance: 5 });
    expect(sent.at(-1)).toEqual(['cancel', 5]);
  });
});

describe('what the caller did not hear', () => {
  it('is truncated in each message of the model, by its place in the audio', async () => {
    const { handle } = pipeline();
    handle(respond(1), open(5, 1));
    await hear(audio(1, 1_000, 'a'), audio(1, 500, 'b'), audio(1, 500, 'b'));
    handle({ type: 'cut-short', utterance: 5, playedMs: 1_200 });
    expect(sent.slice(1)).toEqual([
      ['truncate', 'a', 1_200],
      ['truncate', 'b', 200],
    ]);
  });

  it('is truncated at a position between 0 and the received duration', async () => {
    const { handle } = pipeline();
    handle(respond(1), open(5, 1), respond(2), open(6, 2));
    await hear(audio(1, 1_000, 'a'), audio(2, 600, 'c'), audio(2, 600, 'd'));
    handle({ type: 'cut-short', utterance: 5, playedMs: 5_000 }, { type: 'cut-short', utterance: 6, playedMs: 100 });
    expect(sent.slice(2)).toEqual([
      ['truncate', 'a', 1_000],
      ['truncate', 'c', 100],
      ['truncate', 'd', 0],
    ]);
  });

  it('is truncated once, and only for known utterances', async () => {
    const { handle } = pipeline();
    handle(respond(1), open(5, 1));
    await hear(audio(1, 1_000, 'a'));
    for (const utterance of [5, 5, 9]) handle({ type: 'cut-short', utterance, playedMs: 10 });
    expect(sent.slice(1)).toEqual([['truncate', 'a', 10]]);
  });
});

describe('the session', () => {
  it('receives messages and instructions', () => {
    const { handle } = pipeline();
    const systemPrompt = ['Be brief.', 'Be kind.'].map((content) => ({ role: 'system' as const, content }));
    handle({ type: 'model-told', role: 'user', text: '5' }, { type: 'model-instructed', systemPrompt });
    expect(sent).toEqual([
      ['message', 'user', '5'],
      ['update', { instructions: 'Be brief.\n\nBe kind.' }],
    ]);
    expect(instructionsOf([])).toBe('');
  });

  it('reports the words of the caller and its usage', async () => {
    const used: unknown[] = [];
    pipeline({ onUsage: (usage) => void used.push(usage) });
    await hear(
      { type: 'user-text', turn: 3, text: 'Hello?' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
    );
    expect(dispatched).toEqual([{ type: 'user-text', turn: 3, text: 'Hello?' }]);
    expect(used).toEqual([{ inputTokens: 1, outputTokens: 2 }]);
  });

  it.each<[string, () => unknown]>([
    ['fails', () => events.fail(new ProviderError('vendor', 'connection', 'closed'))],
    ['ends', () => events.end()],
  ])('is lost when it %s', async (what, happens) => {
    pipeline();
    happens();
    await clock.advance(0);
    const message = what === 'fails' ? 'vendor: closed' : 'The speech-to-speech model ended its session.';
    expect(dispatched).toEqual([{ type: 'model-lost', message }]);
    expect(failures).toHaveLength(what === 'fails' ? 1 : 0);
  });

  it('is not lost by the end of the call', async () => {
    pipeline();
    over.abort();
    events.fail(new ProviderError('vendor', 'connection', 'closed'));
    await clock.advance(0);
    expect([dispatched, failures]).toEqual([[], []]);
  });
});
