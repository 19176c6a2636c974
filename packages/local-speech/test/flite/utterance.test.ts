import type { TtsEvent } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import type { SynthesisQueue } from '../../src/flite/synthesis-queue.ts';
import { FliteUtterance } from '../../src/flite/utterance.ts';

interface Job {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly resolve: (samples: Int16Array) => void;
  readonly reject: (error: Error) => void;
}
/** Synthesized speech of 200 ms. */
const loud = (): Int16Array => new Int16Array(1_600).fill(8_000);

function speak() {
  const jobs: Job[] = [];
  const queue = {
    synthesize: (text: string, _voice: string, signal: AbortSignal) =>
      new Promise<Int16Array>((resolve, reject) => jobs.push({ text, signal, resolve, reject })),
  };
  const utterance = new FliteUtterance(queue as unknown as SynthesisQueue, 'slt', 'pcm16');
  return { utterance, jobs };
}
async function read(utterance: AsyncIterable<TtsEvent>): Promise<TtsEvent[]> {
  const events: TtsEvent[] = [];
  for await (const event of utterance) events.push(event);
  return events;
}
const wordsOf = (events: readonly TtsEvent[]) => events.flatMap((each) => (each.type === 'words' ? each.words : []));

describe('an utterance of flite', () => {
  it('speaks clauses in their order, whichever is synthesized first', async () => {
    const { utterance, jobs } = speak();
    utterance.push('One two.');
    utterance.push('Three.');
    utterance.end();
    jobs[1]?.resolve(loud());
    jobs[0]?.resolve(loud());
    const words = wordsOf(await read(utterance));
    expect(words.map(({ text }) => text.replace(/\W/g, '').toLowerCase())).toEqual(['one', 'two', 'three']);
    const starts = words.map(({ startMs }) => startMs);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it('is sent in chunks of at most 100 ms', async () => {
    const { utterance, jobs } = speak();
    utterance.push('One.');
    utterance.end();
    jobs[0]?.resolve(loud());
    const lengths = (await read(utterance)).flatMap((each) => (each.type === 'audio' ? [each.audio.length] : []));
    expect(lengths.length).toBeGreaterThan(1);
    expect(lengths.every((length) => length <= 1_600)).toBe(true);
  });

  it.each(['', '  ', '\n'])('has nothing to speak for %j', async (text) => {
    const { utterance, jobs } = speak();
    utterance.push(text);
    utterance.end();
    utterance.push('Too late.');
    expect([jobs, await read(utterance)]).toEqual([[], []]);
  });

  it.each([
    ['a text without letters and digits', '…!', null],
    ['a text that yields no audio', 'One.', new Int16Array(0)],
  ])('fails for %s', async (_, text, samples) => {
    const { utterance, jobs } = speak();
    utterance.push(text);
    utterance.end();
    if (samples !== null) jobs[0]?.resolve(samples);
    await expect(read(utterance)).rejects.toMatchObject({ fault: 'protocol' });
  });

  it('fails with the error of the thread', async () => {
    const { utterance, jobs } = speak();
    utterance.push('One.');
    utterance.end();
    jobs[0]?.reject(new Error('died'));
    await expect(read(utterance)).rejects.toThrow('died');
  });

  it('ends at once when it is cancelled, and cancels its texts', async () => {
    const { utterance, jobs } = speak();
    utterance.push('One.');
    utterance.cancel();
    utterance.push('Two.');
    expect([await read(utterance), jobs.map(({ signal }) => signal.aborted)]).toEqual([[], [true]]);
  });
});
