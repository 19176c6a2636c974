import { beforeEach, describe, expect, it } from 'vitest';
import { FrameAssembler } from '../../src/rtp/frame-assembler.ts';

let frames: (number[] | null)[];
let assembler: FrameAssembler;
let position: number;

beforeEach(() => {
  frames = [];
  position = 0;
  assembler = new FrameAssembler((frame) => frames.push(frame === null ? null : [...frame]));
});

/** The next so many milliseconds of a stream whose bytes count up. */
function next(ms: number): Uint8Array {
  return Uint8Array.from({ length: ms * 8 }, () => position++ & 0xff);
}

function whole(): number[] {
  return frames.flatMap((frame) => frame ?? []);
}

describe('frames of 20 ms', () => {
  it.each([5, 10, 20, 30, 40, 60])('are made of payloads of %i ms, none lost or changed', (ms) => {
    for (let sent = 0; sent < 240; sent += ms) assembler.push(next(ms));
    expect(frames).toHaveLength(12);
    expect(frames.every((frame) => frame?.length === 160)).toBe(true);
    expect(whole()).toEqual(Array.from({ length: 1_920 }, (_, i) => i & 0xff));
  });

  it.each([
    [20, 2, 2],
    [10, 2, 1],
    [30, 2, 3],
    [60, 1, 3],
    [20, 5_000, 10],
  ])('of a sender with %i ms are missed as lost: %i packets are %i frames', (ms, packets, lost) => {
    assembler.push(next(ms));
    assembler.push(next(ms));
    frames = [];
    assembler.lose(packets);
    expect(frames.filter((frame) => frame === null)).toHaveLength(lost);
  });

  it('do not come of an empty payload', () => {
    assembler.push(new Uint8Array(0));
    expect(frames).toEqual([]);
  });
});
