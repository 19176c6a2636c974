import { beforeEach, describe, expect, it } from 'vitest';
import { FrameAssembler } from '../../src/rtp/frame-assembler.ts';

let frames: (number[] | null)[];
let assembler: FrameAssembler;
let position: number;

beforeEach(() => {
  frames = [];
  position = 0;
  assembler = new FrameAssembler(160, (frame) => frames.push(frame === null ? null : [...frame]));
});

/** Returns the next `ms` of a stream of counting bytes. */
function next(ms: number): Uint8Array {
  return Uint8Array.from({ length: ms * 8 }, () => position++ & 0xff);
}

function whole(): number[] {
  return frames.flatMap((frame) => frame ?? []);
}

describe('frames of 20 ms', () => {
  it.each([5, 10, 20, 30, 40, 60])('are assembled unchanged from payloads of %i ms', (ms) => {
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
  ])('are reported as lost for payloads of %i ms: %i packets as %i frames', (ms, packets, lost) => {
    assembler.push(next(ms));
    assembler.push(next(ms));
    frames = [];
    assembler.lose(packets);
    expect(frames.filter((frame) => frame === null)).toHaveLength(lost);
  });

  it('are not created from an empty payload', () => {
    assembler.push(new Uint8Array(0));
    expect(frames).toEqual([]);
  });
});
