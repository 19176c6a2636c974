import { purity } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { HalfBandFilter } from '../../src/codec/half-band.ts';

const frame = 320;

/** Returns the output for a tone at 16 kHz, in frames, without the first frame. */
function halved(hertz: number, amplitude: number): Int16Array {
  const filter = new HalfBandFilter(frame);
  const output: number[] = [];
  for (let n = 0; n < 25; n++) {
    const samples = Int16Array.from({ length: frame }, (_, i) =>
      Math.round(amplitude * Math.sin((2 * Math.PI * hertz * (n * frame + i)) / 16_000)),
    );
    output.push(...filter.halve(samples));
  }
  return Int16Array.from(output.slice(frame / 2));
}

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}

describe('the half-band filter', () => {
  it.each([100, 1_000, 3_000])('passes %i Hz at its level, across frames', (hertz) => {
    const output = halved(hertz, 10_000);
    expect(rms(output) / (10_000 / Math.SQRT2)).toBeCloseTo(1, 1);
    expect(purity(output, hertz)).toBeGreaterThan(0.999);
  });

  it.each([4_800, 6_000, 7_900])('attenuates %i Hz, which would alias, by 40 dB', (hertz) => {
    expect(rms(halved(hertz, 30_000))).toBeLessThan(30_000 / Math.SQRT2 / 100);
  });

  it('keeps a constant at full scale, and limits what exceeds it', () => {
    const filter = new HalfBandFilter(frame);
    for (const value of [32_767, -32_768]) {
      filter.halve(new Int16Array(frame).fill(value));
      expect([...filter.halve(new Int16Array(frame).fill(value))].every((sample) => sample === value)).toBe(true);
    }
    // The overshoot at an edge of full scale must not wrap around.
    const edge = new Int16Array(frame).fill(32_767).fill(-32_768, 0, frame / 2);
    expect(Math.min(...filter.halve(edge).subarray(frame / 4 + 12))).toBeGreaterThan(30_000);
  });
});
