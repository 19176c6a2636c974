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
