import { describe, expect, it } from 'vitest';
import { FrameMixer } from '../../src/codec/frame-mixer.ts';
import { legAudio } from '../../src/codec/leg-encoding.ts';
import { decodeSamples, encodeSamples } from '../../src/codec/leg-samples.ts';

describe.each(['pcmu', 'pcma', 'pcm16'] as const)('the frame mixer for %s', (encoding) => {
  const { frameSamples, frameBytes, silence } = legAudio[encoding];
  const frame = (sample: number): Uint8Array => encodeSamples(encoding, new Int16Array(frameSamples).fill(sample));

  it.each([
    [1_000, 2_000, 3_000],
    [-5_000, 5_000, 0],
    [30_000, 30_000, 32_767],
    [-30_000, -30_000, -32_768],
  ])('adds %i and %i to %i', (left, right, sum) => {
    const mixed = decodeSamples(encoding, new FrameMixer(encoding).mix(frame(left), frame(right)));
    for (const sample of mixed) expect(Math.abs(sample - sum)).toBeLessThanOrEqual(encoding === 'pcm16' ? 0 : 700);
  });

  it('returns a frame unchanged when the other is silent, and keeps nothing of earlier frames', () => {
    const mixer = new FrameMixer(encoding);
    mixer.mix(frame(20_000), frame(20_000));
    const quiet = new Uint8Array(frameBytes).fill(silence);
    expect(mixer.mix(frame(-3_000), quiet)).toEqual(frame(-3_000));
    // The silence of A-law is 8, not 0.
    for (const sample of decodeSamples(encoding, mixer.mix(quiet, quiet))) expect(Math.abs(sample)).toBeLessThan(32);
  });
});
