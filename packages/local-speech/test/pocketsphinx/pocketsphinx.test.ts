import { ProviderError, type SttEvent, type SttStream } from '@va/core/adapter';
import { pocketsphinx, recognize, synthesize } from '@va/local-speech';
import { encodeG711 } from '@va/media';
import { killThreads, watchThreads } from '@va/test-servers/threads';
import { afterEach, describe, expect, it } from 'vitest';
import { common } from '../options.ts';

watchThreads();

const phrases = ['I would like to book a table for two people', 'on Friday at seven', "That's all, goodbye."];
const ulaw = { encoding: 'pcmu', sampleRateHz: 8_000 } as const;
const frameSamples = 160;

const streams: SttStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

function open(config: Record<string, unknown>, signal?: AbortSignal, hints: string[] = []): SttStream {
  const stream = pocketsphinx().open({
    ...common(signal),
    config: { provider: 'pocketsphinx', ...config },
    format: ulaw,
    hints,
  });
  streams.push(stream);
  return stream;
}

function sendFrames(stream: SttStream, samples: Int16Array): void {
  const codes = encodeG711('pcmu', samples);
  for (let at = 0; at < codes.length; at += frameSamples) stream.send(codes.subarray(at, at + frameSamples));
}

async function untilFinalized(stream: SttStream): Promise<SttEvent[]> {
  const events: SttEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (event.type === 'finalized') break;
  }
  return events;
}

describe('PocketSphinx', () => {
  it('recognizes the phrases of a call in μ-law, with partials', async () => {
    const stream = open({ phrases });
    const reader = stream[Symbol.asyncIterator]();
    for (const phrase of ['on friday at seven', 'i would like to book a table for two people']) {
      sendFrames(stream, new Int16Array(8_000));
      stream.speechStarted();
      sendFrames(stream, await synthesize(phrase, { voice: 'rms' }));
      stream.finalize();
      const events: SttEvent[] = [];
      while (events.at(-1)?.type !== 'finalized') events.push((await reader.next()).value as SttEvent);
      expect(events.slice(-2)).toEqual([{ type: 'final', text: phrase }, { type: 'finalized' }]);
      const partials = events.filter((event) => event.type === 'partial');
      expect(partials.length).toBeGreaterThan(1);
      expect(partials.every(({ text }, at) => text !== partials[at - 1]?.text)).toBe(true);
    }
  });

  it('recognizes the beginning of words that were sent before the VAD reported speech', async () => {
    const stream = open({ phrases: ['seven', 'eleven'] });
    const samples = await synthesize('eleven', { voice: 'rms' });
    const onset = Math.round(samples.length * 0.45);
    sendFrames(stream, samples.subarray(0, onset));
    stream.speechStarted();
    sendFrames(stream, samples.subarray(onset));
    stream.finalize();
    expect(await untilFinalized(stream)).toContainEqual({ type: 'final', text: 'eleven' });
  });

  it('answers a finalize without speech at once', async () => {
    const stream = open({ phrases });
    stream.finalize();
    expect(await untilFinalized(stream)).toEqual([{ type: 'finalized' }]);
  });

  it('follows a grammar with its own rules', async () => {
    const grammar = 'public <order> = i want <count> (tickets | seats) {order};\n<count> = /2/ two | three;';
    expect(await recognize(await synthesize('I want three seats', { voice: 'rms' }), { grammar })).toBe(
      'i want three seats',
    );
  });

  it('uses the hints when the configuration has neither grammar nor phrases', async () => {
    const stream = open({}, undefined, ['tomorrow morning', 'next week']);
    stream.speechStarted();
    sendFrames(stream, await synthesize('next week', { voice: 'rms' }));
    stream.finalize();
    expect(await untilFinalized(stream)).toContainEqual({ type: 'final', text: 'next week' });
  });

  it.each([
    ['a word without a pronunciation', { phrases: ['book a zorbl please'] }, /"zorbl"/],
    ['digits', { phrases: ['table 4'] }, /"4"/],
    ['nothing to hear', { phrases: ['...'] }, /needs a grammar/],
    ['phrases of another shape', { phrases: 'hello' }, /phrases/],
  ])('rejects %s when it opens', (_, config, message) => {
    const opening = () => open(config);
    expect(opening).toThrow(ProviderError);
    expect(opening).toThrow(message);
  });

  it('fails the stream of a grammar that is not JSGF', async () => {
    const stream = open({ grammar: 'public <order> = (two | three;' });
    await expect(untilFinalized(stream)).rejects.toMatchObject({ fault: 'invalid_request', retryable: false });
  });

  it('emits nothing more once it is aborted', async () => {
    const call = new AbortController();
    const stream = open({ phrases }, call.signal);
    stream.speechStarted();
    stream.finalize();
    call.abort();
    expect(await untilFinalized(stream)).toEqual([]);
  });

  it('fails its streams when the thread dies, and serves the next call with another', async () => {
    const stream = open({ phrases });
    await killThreads();
    await expect(untilFinalized(stream)).rejects.toMatchObject({ fault: 'unavailable', retryable: true });
    expect(await recognize(await synthesize('on friday at seven'), { phrases })).toBe('on friday at seven');
  });
});
