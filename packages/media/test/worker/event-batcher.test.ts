import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { EventBatcher } from '../../src/worker/event-batcher.ts';
import { frameBytes, lostFrame, type MediaWorkerBatch, wideFrameBytes } from '../../src/worker/messages.ts';
import { FrameReader } from '../../src/worker/shared-frames.ts';

/** Reads messages as the main thread does: the leg, the first byte and the length of each frame. */
function readerOf(read: (readonly [leg: number, byte: number, length: number])[]): (message: MediaWorkerBatch) => void {
  const narrow = new FrameReader(frameBytes);
  const wide = new FrameReader(wideFrameBytes);
  return (message) => {
    const { audio, wideAudio } = structuredClone(message);
    const onFrame = (frame: Uint8Array, tag: number): void => void read.push([tag, frame[0] ?? -1, frame.length]);
    narrow.read(audio, onFrame);
    if (wideAudio !== undefined) wide.read(wideAudio, onFrame);
  };
}

function setUp(clock = new VirtualClock()) {
  const posted: MediaWorkerBatch[] = [];
  const batcher = new EventBatcher(clock, (message) => posted.push(message));
  return { clock, posted, batcher };
}

describe('the batches of a media worker', () => {
  it('carry legs of both rates, in any order and number', () => {
    const clock = new VirtualClock();
    const read: (readonly [number, number, number])[] = [];
    const batcher = new EventBatcher(clock, readerOf(read));
    const sent: (readonly [number, number, number])[] = [];
    for (let n = 0; n < 1_000; n++) {
      const length = n % 3 === 0 ? wideFrameBytes : frameBytes;
      batcher.emitFrame(n, new Uint8Array(length).fill(n & 0xff), length);
      sent.push([n, n & 0xff, length]);
      if (n % 97 === 0) batcher.flush();
    }
    batcher.flush();
    const byLeg = (frames: typeof sent): typeof sent => frames.toSorted((a, b) => a[0] - b[0]);
    expect(byLeg(read)).toEqual(sent);
  });

  it.each([frameBytes, wideFrameBytes])('keep the place of a lost frame among those of %i bytes', (bytes) => {
    const read: (readonly [number, number, number])[] = [];
    const batcher = new EventBatcher(new VirtualClock(), readerOf(read));
    for (const frame of [new Uint8Array(bytes), null, new Uint8Array(bytes)]) batcher.emitFrame(1, frame, bytes);
    batcher.flush();
    expect(read.map(([tag]) => tag)).toEqual([1, 1 + lostFrame, 1]);
  });

  it('post levels and recorded frames with the next audio, and other events at once', async () => {
    const clock = new VirtualClock();
    const posted: (readonly string[])[] = [];
    const batcher = new EventBatcher(clock, ({ events }) => void posted.push(events.map(({ type }) => type)));
    const levels = { type: 'levels', callerDb: -20, agentDb: -60 } as const;
    batcher.emit({ type: 'plane', leg: 1, event: levels, atMs: 0 });
    batcher.emit({ type: 'recorded', leg: 1, frames: { count: 0 } });
    batcher.emitFrame(1, new Uint8Array(frameBytes), frameBytes);
    await clock.advance(4);
    expect(posted).toEqual([]);
    await clock.advance(1);
    expect(posted).toEqual([['plane', 'recorded']]);
    batcher.emit({ type: 'plane', leg: 1, event: levels, atMs: 5 });
    batcher.emit({ type: 'stopped', leg: 1 });
    await clock.advance(0);
    expect(posted.slice(1)).toEqual([['plane', 'stopped']]);
  });
});

describe('the log of a media worker', () => {
  it('is posted at once, with the fields of its logger', () => {
    const { posted, batcher } = setUp();
    const logger = batcher.logger.child({ leg: 7 }).child({ part: 'vad' });
    logger.warn({ count: 1 }, 'late');
    logger.error({ leg: 8 }, 'failed');
    batcher.logger.info({}, 'started');
    batcher.logger.debug({}, 'detail');
    expect(posted.flatMap(({ log }) => log)).toEqual([
      { level: 'warn', fields: { leg: 7, part: 'vad', count: 1 }, message: 'late' },
      { level: 'error', fields: { leg: 8, part: 'vad' }, message: 'failed' },
      { level: 'info', fields: {}, message: 'started' },
      { level: 'debug', fields: {}, message: 'detail' },
    ]);
  });

  it('is posted with the events after the pending input, on a clock with afterInput()', () => {
    const waiting: (() => void)[] = [];
    const clock = Object.assign(new VirtualClock(), { afterInput: (run: () => void) => void waiting.push(run) });
    const { posted, batcher } = setUp(clock);
    batcher.logger.warn({}, 'late');
    batcher.emit({ type: 'stopped', leg: 1 });
    batcher.emitFrame(1, new Uint8Array(frameBytes), frameBytes);
    expect([posted, waiting.length]).toEqual([[], 1]);
    for (const run of waiting) run();
    expect(posted).toMatchObject([{ audio: { count: 1 }, events: [{ type: 'stopped' }], log: [{ message: 'late' }] }]);
  });
});

describe('the messages of a media worker', () => {
  it('are not posted without content', async () => {
    const { clock, posted, batcher } = setUp();
    batcher.flush();
    await clock.advance(100);
    expect(posted).toEqual([]);
  });

  it('carry frames of 16 kHz apart from the others, if there are any', () => {
    const { posted, batcher } = setUp();
    batcher.emitFrame(1, new Uint8Array(frameBytes), frameBytes);
    batcher.flush();
    batcher.emitFrame(2, null, wideFrameBytes);
    batcher.flush();
    expect(posted.map(({ audio, wideAudio }) => [audio.count, wideAudio?.count])).toEqual([
      [1, undefined],
      [0, 1],
    ]);
  });

  it('share one timer for the audio of many legs', async () => {
    const { clock, posted, batcher } = setUp();
    for (let leg = 0; leg < 50; leg += 1) batcher.emitFrame(leg, new Uint8Array(frameBytes), frameBytes);
    expect(clock.pending).toBe(1);
    await clock.advance(5);
    expect(posted.map(({ audio }) => audio.count)).toEqual([50]);
    batcher.emitFrame(1, new Uint8Array(frameBytes), frameBytes);
    await clock.advance(5);
    expect(posted.map(({ audio }) => audio.count)).toEqual([50, 1]);
  });

  it('are posted before the memory of the frames is full', () => {
    const { posted, batcher } = setUp();
    for (let n = 0; n < 600; n += 1) batcher.emitFrame(1, null, frameBytes);
    batcher.flush();
    expect(posted.map(({ audio }) => audio.count)).toEqual([256, 344]);
    expect(posted.every(({ audio }) => audio.memory !== undefined)).toBe(true);
  });
});
