import type { SttEvent } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { PocketSphinxStream } from '../../src/pocketsphinx/stream.ts';
import type { SharedWorker, WorkerUser } from '../../src/worker/shared-worker.ts';

interface Posted {
  readonly channel: number;
  readonly type: string;
  readonly samples?: Int16Array;
}

/** Opens a stream in which the test acts as the thread. */
function open({ encoding = 'pcm16' as 'pcm16' | 'pcmu', signal = new AbortController().signal } = {}) {
  const posted: Posted[] = [];
  const awaiting: boolean[] = [];
  let isReleased = false;
  const worker = {
    lease: (_user: WorkerUser) => ({
      post: (message: Posted) => posted.push(message),
      await: (isAwaited: boolean) => awaiting.push(isAwaited),
      release: () => {
        isReleased = true;
      },
    }),
  };
  const stream = new PocketSphinxStream(
    worker as unknown as SharedWorker,
    { jsgf: 'g', dictionary: 'd' },
    { encoding, sampleRateHz: 8_000 },
    signal,
  );
  const [first] = posted;
  const channel = first?.channel ?? -1;
  const types = (): string[] => posted.map(({ type }) => type);
  const respond = (message: object): void => stream.onMessage({ channel, ...message });
  return { stream, posted, awaiting, types, respond, channel, isReleased: () => isReleased };
}

async function read(stream: AsyncIterable<SttEvent>, count: number): Promise<SttEvent[]> {
  const events: SttEvent[] = [];
  for await (const event of stream) if (events.push(event) === count) break;
  return events;
}
const bytesOf = (...samples: readonly number[]): Uint8Array => new Uint8Array(Int16Array.from(samples).buffer);

describe('the audio of a stream', () => {
  it('is decoded from shortly before the speech until it is finalized', () => {
    const { stream, posted, types } = open();
    stream.send(bytesOf(1, 2));
    expect(types()).toEqual(['open']);
    stream.speechStarted();
    stream.speechStarted();
    stream.send(bytesOf(3));
    stream.finalize();
    stream.send(bytesOf(4));
    expect(types()).toEqual(['open', 'start', 'audio', 'audio', 'end']);
    expect([posted[2]?.samples?.slice(-2), posted[3]?.samples]).toEqual([Int16Array.of(1, 2), Int16Array.of(3)]);
  });

  it('may start at an odd address and end within a sample', () => {
    const { stream, posted } = open();
    stream.speechStarted();
    stream.send(new Uint8Array([0, 1, 2, 3, 4, 5]).subarray(1));
    expect(posted.at(-1)?.samples).toEqual(Int16Array.of(0x0201, 0x0403));
  });

  it('is decoded from G.711', () => {
    const { stream, posted } = open({ encoding: 'pcmu' });
    stream.speechStarted();
    stream.send(Uint8Array.of(0xff, 0x80));
    expect([posted.at(-1)?.samples?.length, posted.at(-1)?.samples?.[0]]).toEqual([2, 0]);
  });
});

describe('the events of a stream', () => {
  it('are the text of the thread, then the end of the utterance', async () => {
    const { stream, awaiting, respond } = open();
    stream.speechStarted();
    respond({ type: 'partial', text: 'next' });
    stream.finalize();
    respond({ type: 'ended', text: 'next week' });
    expect(await read(stream, 3)).toEqual([
      { type: 'partial', text: 'next' },
      { type: 'final', text: 'next week' },
      { type: 'finalized' },
    ]);
    expect(awaiting).toEqual([true, false]);
  });

  it('have no text without words, and end the wait for the thread with the last utterance', async () => {
    const { stream, awaiting, respond } = open();
    for (let n = 0; n < 2; n++) {
      stream.speechStarted();
      stream.finalize();
    }
    respond({ type: 'ended', text: '' });
    respond({ type: 'ended', text: '' });
    expect(await read(stream, 2)).toEqual([{ type: 'finalized' }, { type: 'finalized' }]);
    expect(awaiting).toEqual([true, true, true, false]);
  });

  it('do not include those of other channels of the thread', async () => {
    const { stream, channel } = open();
    stream.onMessage({ channel: channel + 1, type: 'partial', text: 'foreign' });
    stream.finalize();
    expect(await read(stream, 1)).toEqual([{ type: 'finalized' }]);
  });

  it.each<[string, (opened: ReturnType<typeof open>) => void, object]>([
    ['a fault of the grammar', ({ respond }) => respond({ type: 'failed', error: 'x' }), { fault: 'invalid_request' }],
    ['a lost thread', ({ stream }) => stream.onLost(new Error('exit')), { fault: 'unavailable' }],
  ])('fail after %s', async (_, happen, error) => {
    const opened = open();
    happen(opened);
    await expect(read(opened.stream, 1)).rejects.toMatchObject(error);
    expect(opened.isReleased()).toBe(true);
  });

  it.each<[string, (stop: AbortController) => void]>([
    ['before it opens', (stop) => stop.abort()],
    ['later', () => {}],
  ])('end when the call is aborted %s', async (_, before) => {
    const stop = new AbortController();
    before(stop);
    const { stream, types, isReleased } = open({ signal: stop.signal });
    stop.abort();
    expect([await read(stream, 1), types(), isReleased()]).toEqual([[], ['open', 'close'], true]);
  });
});
