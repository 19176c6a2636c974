import { describe, expect, it } from 'vitest';
import { doubleRate } from '../../src/onnx-turn-model/double-rate.ts';

/** Returns the largest difference from the expected samples, and leaves the ends out. */
function differenceFrom(expected: (i: number) => number, doubled: Float64Array): number {
  let largest = 0;
  for (let i = 64; i < doubled.length - 64; i++) {
    largest = Math.max(largest, Math.abs((doubled[i] ?? Number.NaN) - expected(i)));
  }
  return largest;
}

function tone(hz: number, rateHz: number): (i: number) => number {
  return (i) => 10_000 * Math.sin((2 * Math.PI * hz * i) / rateHz);
}

describe('audio at twice its rate', () => {
  it.each([100, 440, 1_000, 2_500, 3_000])('is the same tone of %d Hz, without delay', (hz) => {
    const samples = Int16Array.from({ length: 2_000 }, (_, i) => Math.round(tone(hz, 8_000)(i)));
    const doubled = doubleRate(samples);
    expect(doubled).toHaveLength(4_000);
    // The rounding of the samples, and at most 0.1 % of the tone.
    expect(differenceFrom(tone(hz, 16_000), doubled)).toBeLessThan(hz > 2_500 ? 20 : 3);
  });

  it('keeps the given samples and a constant level', () => {
    const samples = new Int16Array(500).fill(1_234);
    const doubled = doubleRate(samples);
    expect(differenceFrom(() => 1_234, doubled)).toBeLessThan(1e-9);
    expect(doubleRate(new Int16Array(0))).toHaveLength(0);
    expect(doubleRate(Int16Array.of(7, -3)).filter((_, i) => i % 2 === 0)).toEqual(Float64Array.of(7, -3));
  });
});
