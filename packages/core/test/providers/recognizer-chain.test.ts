import { type ScriptedStt, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type SttConfig, sttConfigSchema } from '../../src/domain/agents/agent.ts';
import { ProviderError } from '../../src/errors.ts';
import type { SpeechToText, SttEvent, SttStream } from '../../src/ports/providers/speech-to-text.ts';
import type { Links } from '../../src/providers/link.ts';
import { type RecognizerChainDependencies, recognizerChain } from '../../src/providers/recognizer-chain.ts';
import { type ChainParts, chainParts, readAll } from './support.ts';

const lost = new ProviderError('first', 'connection', 'connection lost');
const frame = new Uint8Array(160).fill(0x2a);

function linksOf(first: SpeechToText, ...others: SpeechToText[]): Links<SpeechToText, SttConfig> {
  const linkOf = (provider: SpeechToText): Links<SpeechToText, SttConfig>[0] => ({
    provider,
    config: sttConfigSchema.parse({ provider: provider.id }),
  });
  return [linkOf(first), ...others.map(linkOf)];
}

function depsOf(parts: ChainParts, signal = new AbortController().signal): RecognizerChainDependencies {
  return { ...parts, encoding: 'pcmu', hints: ['Anna'], signal };
}

interface Listening {
  readonly stream: SttStream;
  readonly events: SttEvent[];
  readonly outcome: Promise<{ error: unknown }>;
  hearFrames(count: number): void;
}

function listen(parts: ChainParts, first: SpeechToText, ...others: SpeechToText[]): Listening {
  const stream = recognizerChain(linksOf(first, ...others), depsOf(parts));
  const events: SttEvent[] = [];
  const read = async (): Promise<{ error: unknown }> => {
    try {
      for await (const event of stream) events.push(event);
      return { error: null };
    } catch (error) {
      return { error };
    }
  };
  const hearFrames = (count: number): void => {
    for (let each = 0; each < count; each++) stream.send(frame);
  };
  return { stream, events, outcome: read(), hearFrames };
}

const [firstOf, secondOf] = [(stt: ScriptedStt) => stt.streams[0], (stt: ScriptedStt) => stt.streams[1]];

describe('a chain of recognizers', () => {
  it('with a single provider forwards its audio and events, and fails with it', async () => {
    const parts = chainParts();
    const stt = scriptedStt();
    const call = listen(parts, stt);
    call.hearFrames(1);
    expect(firstOf(stt)?.received).toBe(160);
    expect(firstOf(stt)?.options).toMatchObject({ hints: ['Anna'], format: { encoding: 'pcmu' } });
    firstOf(stt)?.emit({ type: 'partial', text: 'Hel' });
    firstOf(stt)?.emit({ type: 'final', text: 'Hello' });
    firstOf(stt)?.fail(lost);
    expect((await call.outcome).error).toBe(lost);
    expect(call.events).toEqual([
      { type: 'partial', text: 'Hel' },
      { type: 'final', text: 'Hello' },
    ]);
    expect(stt.streams).toHaveLength(1);
  });

  it('with a single provider reopens it when it does not answer, and replays the pending audio', async () => {
    const parts = chainParts();
    const stt = scriptedStt();
    const call = listen(parts, stt);
    Object.assign(firstOf(stt) ?? {}, { finalize() {} });
    call.stream.speechStarted();
    call.hearFrames(40);
    call.stream.finalize();
    await parts.clock.advance(9_900);
    expect(stt.streams).toHaveLength(1);
    await parts.clock.advance(200);
    expect([stt.streams.length, firstOf(stt)?.closed]).toEqual([2, true]);
    expect(secondOf(stt)?.received).toBe(40 * 160);
    expect(call.events).toEqual([{ type: 'finalized' }]);
    expect(parts.clock.pending).toBe(0);
    expect(parts.circuits.of(stt, { owner: null, model: null }).isOpen).toBe(false);
  });

  it('with a single provider fails after repeated timeouts', async () => {
    const parts = chainParts();
    const stt = scriptedStt();
    const { open } = stt;
    stt.open = (options) => Object.assign(open.call(stt, options), { finalize() {} });
    const call = listen(parts, stt);
    call.stream.finalize();
    await parts.clock.advance(31_000);
    expect((await call.outcome).error).toMatchObject({ fault: 'timeout' });
    expect(stt.streams).toHaveLength(3);
    expect(parts.clock.pending).toBe(0);
  });

  it('falls back when a recognizer does not answer', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second', turns: ['my name is Bob'] })];
    const call = listen(parts, first, second);
    Object.assign(firstOf(first) ?? {}, { finalize() {} });
    call.hearFrames(40);
    call.stream.finalize();
    await parts.clock.advance(10_100);
    expect(call.events).toEqual([{ type: 'final', text: 'my name is Bob' }, { type: 'finalized' }]);
    expect(parts.warnings).toEqual(['first']);
  });

  it('tries another recognizer after much speech without words, without counting a failure', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    const call = listen(parts, first, second);
    const turn = async (): Promise<void> => {
      call.stream.speechStarted();
      call.hearFrames(100);
      call.stream.finalize();
      await parts.clock.advance(100);
    };
    for (let each = 0; each < 7; each++) await turn();
    expect(second.streams).toHaveLength(0);
    firstOf(first)?.emit({ type: 'partial', text: 'well' });
    await parts.clock.advance(10);
    for (let each = 0; each < 7; each++) await turn();
    expect(second.streams).toHaveLength(0);
    await turn();
    expect(second.streams).toHaveLength(1);
    expect(firstOf(first)?.closed).toBe(true);
    for (let each = 0; each < 5; each++)
      expect(parts.circuits.of(first, { owner: null, model: null }).isOpen).toBe(false);
  });

  it('falls back when the connection is lost, and replays the audio without final words', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    const call = listen(parts, first, second);
    call.hearFrames(50);
    firstOf(first)?.emit({ type: 'final', text: 'Hello' });
    await parts.clock.advance(10);
    call.hearFrames(30);
    firstOf(first)?.emit({ type: 'partial', text: 'my na' });
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    expect(firstOf(second)?.received).toBe(30 * 160);
    call.hearFrames(5);
    firstOf(second)?.emit({ type: 'final', text: 'my name is Bob' });
    await parts.clock.advance(10);
    expect(call.events).toEqual([
      { type: 'final', text: 'Hello' },
      { type: 'partial', text: 'my na' },
      { type: 'final', text: 'my name is Bob' },
    ]);
    expect(firstOf(second)?.received).toBe(35 * 160);
    expect([firstOf(first)?.closed, firstOf(first)?.received]).toEqual([true, 80 * 160]);
    expect(parts.warnings).toEqual(['first']);
  });

  it('replays at most two seconds of audio', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    const call = listen(parts, first, second);
    call.hearFrames(500);
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    expect(firstOf(second)?.received).toBe(100 * 160);
  });

  it('repeats a pending finalize request at the next recognizer', async () => {
    const parts = chainParts();
    const first = scriptedStt({ id: 'first', delayMs: 60_000 });
    const second = scriptedStt({ id: 'second', turns: ['what time is it'] });
    const call = listen(parts, first, second);
    call.stream.speechStarted();
    call.hearFrames(40);
    call.stream.finalize();
    call.hearFrames(10);
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    expect(call.events).toEqual([{ type: 'final', text: 'what time is it' }, { type: 'finalized' }]);
  });

  it('does not replay finalized audio when more audio followed', async () => {
    const parts = chainParts();
    const first = scriptedStt({ id: 'first', turns: ['hello'], delayMs: 100 });
    const second = scriptedStt({ id: 'second' });
    const call = listen(parts, first, second);
    call.hearFrames(40);
    call.stream.finalize();
    call.hearFrames(10);
    await parts.clock.advance(100);
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    expect(call.events).toEqual([{ type: 'final', text: 'hello' }, { type: 'finalized' }]);
    expect(firstOf(second)?.received).toBe(10 * 160);
  });

  it('does not replay finalized audio that contained no words', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    const call = listen(parts, first, second);
    call.hearFrames(40);
    call.stream.finalize();
    call.hearFrames(3);
    await parts.clock.advance(10);
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    expect(call.events).toEqual([{ type: 'finalized' }]);
    expect(firstOf(second)?.received).toBe(3 * 160);
  });

  it('fails with the last error when every recognizer fails in a row', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    const call = listen(parts, first, second);
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    const last = new ProviderError('second', 'auth', 'invalid API key');
    firstOf(second)?.fail(last);
    expect(await call.outcome).toMatchObject({ error: last });
    call.hearFrames(1);
    call.stream.finalize();
    call.stream.close();
  });

  it('returns to a failed recognizer after another one has worked since', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    const call = listen(parts, first, second);
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    firstOf(second)?.emit({ type: 'partial', text: 'he' });
    await parts.clock.advance(10);
    firstOf(second)?.fail(lost);
    await parts.clock.advance(10);
    secondOf(first)?.emit({ type: 'final', text: 'hello' });
    await parts.clock.advance(10);
    expect(call.events.at(-1)).toEqual({ type: 'final', text: 'hello' });
  });

  it('opens the next recognizer when one cannot be opened, and throws when none can', async () => {
    const shut: SpeechToText = {
      ...scriptedStt({ id: 'shut' }),
      open() {
        throw lost;
      },
    };
    const second = scriptedStt({ id: 'second', turns: ['hello'] });
    const parts = chainParts();
    const call = listen(parts, shut, second);
    call.stream.finalize();
    await parts.clock.advance(10);
    expect(call.events[0]).toEqual({ type: 'final', text: 'hello' });
    expect(() => recognizerChain(linksOf(shut, shut), depsOf(chainParts()))).toThrow(lost);
  });

  it('skips a recognizer after repeated failures', async () => {
    const parts = chainParts({ circuit: { failures: 2 } });
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    for (let each = 0; each < 4; each++) {
      const call = listen(parts, first, second);
      first.streams.at(-1)?.fail(lost);
      await parts.clock.advance(10);
      call.stream.close();
    }
    expect([first.streams.length, second.streams.length]).toEqual([2, 4]);
  });

  it('ends without an event when the call is aborted', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    const abort = new AbortController();
    const stream = recognizerChain(linksOf(first, second), depsOf(parts, abort.signal));
    const reading = readAll(stream);
    abort.abort();
    expect(await reading).toEqual({ events: [], error: null });
    expect(firstOf(first)?.closed).toBe(true);
    expect(second.streams).toHaveLength(0);
    expect(parts.warnings).toEqual([]);
  });

  it('accepts frames in the encoding of the leg and converts them to the format of each recognizer', async () => {
    const parts = chainParts();
    const first: SpeechToText = {
      ...scriptedStt({ id: 'first' }),
      formats: [{ encoding: 'pcm16', sampleRateHz: 16_000 }],
    };
    const second = scriptedStt({ id: 'second' });
    const call = listen(parts, first, second);
    call.stream.send(frame);
    const [stream] = 'streams' in first ? (first.streams as ScriptedStt['streams']) : [];
    expect(stream?.received).toBe(640);
    stream?.fail(lost);
    await parts.clock.advance(10);
    expect(firstOf(second)?.received).toBe(160);
  });
});

describe('a chain of recognizers with and without turn detection', () => {
  function judging(stt: ScriptedStt): SpeechToText {
    return {
      ...stt,
      open: (options) => Object.defineProperty<SttStream>(stt.open(options), 'judgesTurns', { value: true }),
    };
  }

  it('detects turns from speech activity when the fallback has no turn detection', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second', turns: ['hello'] })];
    const call = listen(parts, judging(first), second);
    expect(call.stream.judgesTurns).toBe(true);
    firstOf(first)?.emit({ type: 'turn-started' });
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    call.stream.speechStarted();
    call.stream.finalize();
    await parts.clock.advance(10);
    expect(call.events.map(({ type }) => type)).toEqual([
      'turn-started',
      'turn-started',
      'final',
      'finalized',
      'turn-ended',
    ]);
  });

  it('ignores the turn events of a fallback when the first recognizer has none', async () => {
    const parts = chainParts();
    const [first, second] = [scriptedStt({ id: 'first' }), scriptedStt({ id: 'second' })];
    const call = listen(parts, first, judging(second));
    expect(call.stream.judgesTurns).toBe(false);
    firstOf(first)?.fail(lost);
    await parts.clock.advance(10);
    for (const type of ['turn-started', 'turn-ending', 'turn-resumed', 'turn-ended'] as const)
      firstOf(second)?.emit({ type });
    firstOf(second)?.emit({ type: 'final', text: 'hello' });
    await parts.clock.advance(10);
    expect(call.events).toEqual([{ type: 'final', text: 'hello' }]);
  });
});
