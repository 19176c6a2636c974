import { describe, expect, it } from 'vitest';
import { type FrameBatch, FrameReader, FrameWriter } from '../../src/worker/shared-frames.ts';

const frameOf = (code: number): Uint8Array => new Uint8Array(4).fill(code);

/** Reads a batch; returns the first byte and the tag of each frame. */
function readBy(reader: FrameReader, news: FrameBatch): (readonly [number, number])[] {
  const heard: (readonly [number, number])[] = [];
  reader.read(structuredClone(news), (frame, tag) => heard.push([frame[0] ?? -1, tag]));
  return heard;
}

describe('frames in memory shared by two threads', () => {
  it('arrive in order with their tags, round after round', () => {
    const writer = new FrameWriter(8, 4);
    const reader = new FrameReader(4);
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < 5; i++) writer.write(100 + i, frameOf(round + i));
      expect(writer.pending).toBe(5);
      expect(readBy(reader, writer.takeBatch())).toEqual([0, 1, 2, 3, 4].map((i) => [round + i, 100 + i]));
    }
  });

  it('need a larger buffer when the reader has not read them yet, and stay in order', () => {
    const writer = new FrameWriter(4, 4);
    const reader = new FrameReader(4);
    const news: FrameBatch[] = [];
    for (let n = 0; n < 20; n++) {
      if (writer.isFull) {
        news.push(writer.takeBatch());
        writer.grow();
      }
      writer.write(n, frameOf(n));
    }
    news.push(writer.takeBatch());
    expect(news.map(({ count, memory }) => [count, memory !== undefined])).toEqual([
      [4, true],
      [8, true],
      [8, true],
    ]);
    expect(news.flatMap((each) => readBy(reader, each))).toEqual(Array.from({ length: 20 }, (_, n) => [n, n]));
    for (let n = 0; n < 16; n++) writer.write(n, frameOf(n));
    expect(readBy(reader, writer.takeBatch())).toHaveLength(16);
  });

  it('are copied to one unshared buffer', () => {
    const writer = new FrameWriter(4, 4);
    const reader = new FrameReader(4);
    writer.write(0, frameOf(7).subarray(0, 2), frameOf(9).subarray(0, 2));
    writer.write(1);
    reader.read(writer.takeBatch(), (frame, tag) => {
      expect(frame).toBe(reader.frame);
      if (tag === 0) expect([...frame]).toEqual([7, 7, 9, 9]);
    });
    expect(reader.frame.buffer).toBeInstanceOf(ArrayBuffer);
  });

  it('are all released when a listener throws', () => {
    const writer = new FrameWriter(4, 4);
    const reader = new FrameReader(4);
    for (let n = 0; n < 4; n++) writer.write(n, frameOf(n));
    const fail = (): never => {
      throw new Error('not this one');
    };
    expect(() => reader.read(writer.takeBatch(), fail)).toThrow('not this one');
    expect(writer.isFull).toBe(false);
    writer.write(4, frameOf(4));
    expect(readBy(reader, writer.takeBatch())).toEqual([[4, 4]]);
  });
});
