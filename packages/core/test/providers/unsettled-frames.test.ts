import { describe, expect, it } from 'vitest';
import { UnsettledFrames } from '../../src/providers/unsettled-frames.ts';

/** Frames of 20 ms; each contains its number. */
function pushed(frames: UnsettledFrames, ...numbers: number[]): void {
  for (const number of numbers) frames.push(Uint8Array.of(number));
}

function numbersIn({ frames }: UnsettledFrames): number[] {
  return frames.map(([number]) => number ?? Number.NaN);
}

describe('UnsettledFrames', () => {
  it('keeps copies, because the caller reuses its buffer', () => {
    const frames = new UnsettledFrames();
    const buffer = Uint8Array.of(1);
    frames.push(buffer);
    buffer[0] = 2;
    expect(numbersIn(frames)).toEqual([1]);
  });

  it('keeps the last two seconds', () => {
    const frames = new UnsettledFrames();
    pushed(frames, ...Array.from({ length: 103 }, (_, number) => number));
    expect(frames.frames).toHaveLength(100);
    expect([numbersIn(frames).at(0), numbersIn(frames).at(-1)]).toEqual([3, 102]);
  });

  it('drops all audio at final words without a pending finalize', () => {
    const frames = new UnsettledFrames();
    pushed(frames, 1, 2);
    frames.settle();
    pushed(frames, 3);
    expect(numbersIn(frames)).toEqual([3]);
  });

  it('keeps the audio after the oldest pending finalize at final words', () => {
    const frames = new UnsettledFrames();
    pushed(frames, 1, 2);
    frames.finalize();
    pushed(frames, 3);
    frames.finalize();
    pushed(frames, 4);
    frames.settle();
    frames.settle();
    expect(numbersIn(frames)).toEqual([3, 4]);
    expect(frames.owed).toBe(2);
  });

  it('drops the audio up to each finalize when it is answered, in order', () => {
    const frames = new UnsettledFrames();
    pushed(frames, 1);
    frames.finalize();
    pushed(frames, 2);
    frames.finalize();
    pushed(frames, 3);
    frames.finalized();
    expect([numbersIn(frames), frames.owed]).toEqual([[2, 3], 1]);
    frames.finalized();
    expect([numbersIn(frames), frames.owed]).toEqual([[3], 0]);
  });

  it('ignores an answer without a request', () => {
    const frames = new UnsettledFrames();
    pushed(frames, 1);
    frames.finalized();
    expect([numbersIn(frames), frames.owed]).toEqual([[1], 0]);
  });

  it('keeps newer audio when a finalize is answered whose audio was already dropped', () => {
    const frames = new UnsettledFrames();
    pushed(frames, 0);
    frames.finalize();
    pushed(frames, ...Array.from({ length: 101 }, (_, number) => number + 1));
    frames.finalized();
    expect(frames.frames).toHaveLength(100);
    expect(numbersIn(frames).at(0)).toBe(2);
  });
});
