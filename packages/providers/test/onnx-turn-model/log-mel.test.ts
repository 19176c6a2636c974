import { beforeAll, describe, expect, it } from 'vitest';
import { featureShape, LogMelFeatures } from '../../src/onnx-turn-model/log-mel.ts';

const [, bands, frames] = featureShape;
let features: LogMelFeatures;

beforeAll(() => {
  features = new LogMelFeatures();
});

function samples(count: number, of: (seconds: number) => number, rateHz = 16_000): Int16Array {
  return Int16Array.from({ length: count }, (_, i) => Math.round(of(i / rateHz)));
}

/** A rising tone and a steady one. */
const sweep = (s: number): number =>
  8_000 * Math.sin(2 * Math.PI * (200 * s + 300 * s * s)) + 3_000 * Math.sin(2 * Math.PI * 1_800 * s);

function at(computed: Float32Array, band: number, frame: number): number {
  return computed[band * frames + frame] ?? Number.NaN;
}

function mean(computed: Float32Array): number {
  return computed.reduce((sum, value) => sum + value, 0) / computed.length;
}

/** The values were computed with numpy by the definition of the features, in double precision. */
describe('log-mel features', () => {
  it('equal those of an independent computation for 3 s of audio', () => {
    const computed = features.compute(samples(48_000, sweep), 16_000);
    expect(computed).toHaveLength(bands * frames);
    const expected: [number, number, number][] = [
      [0, 0, -0.2282522972],
      [10, 499, 0.5446221962],
      [0, 500, 1.3450422523],
      [5, 510, 1.677822456],
      [20, 600, 1.7223200882],
      [40, 650, 1.2571631184],
      [79, 799, 0.0676889128],
      [12, 798, -0.2282522972],
    ];
    for (const [band, frame, value] of expected) expect(at(computed, band, frame)).toBeCloseTo(value, 5);
    expect(mean(computed)).toBeCloseTo(-0.1387548023, 5);
  });

  it('equal those of an independent computation for the last 8 s of longer audio', () => {
    const tone = (s: number): number => 12_000 * Math.sin(2 * Math.PI * 440 * s);
    const computed = features.compute(samples(160_000, tone), 16_000);
    const expected: [number, number, number][] = [
      [0, 0, 1.2090475045],
      [12, 0, 1.5640711769],
      [13, 400, -0.3360238597],
      [12, 799, 1.5230366054],
    ];
    for (const [band, frame, value] of expected) expect(at(computed, band, frame)).toBeCloseTo(value, 5);
    expect(mean(computed)).toBeCloseTo(-0.240087371, 5);
  });

  it.each([1, 100, 6_400, 47_841, 127_500, 127_999])(
    'are the same when %d samples follow explicit silence',
    (count) => {
      const audio = samples(count, sweep);
      const padded = new Int16Array(128_000);
      padded.set(audio, 128_000 - count);
      const computed = features.compute(audio, 16_000);
      const explicit = features.compute(padded, 16_000);
      let difference = 0;
      for (const [i, value] of computed.entries())
        difference = Math.max(difference, Math.abs(value - (explicit[i] ?? 9)));
      expect(difference).toBeLessThan(1e-6);
    },
  );

  it('do not depend on the volume', () => {
    const loud = features.compute(samples(16_000, sweep), 16_000);
    const quiet = features.compute(
      samples(16_000, (s) => sweep(s) / 4),
      16_000,
    );
    expect(Math.abs(mean(loud) - mean(quiet))).toBeLessThan(0.02);
  });

  it('of telephone audio are those of the same sound at 16 kHz, below 3.4 kHz', () => {
    const wide = features.compute(samples(32_000, sweep), 16_000);
    const narrow = features.compute(samples(16_000, sweep, 8_000), 8_000);
    const differences = [5, 20, 40].map((band) => Math.abs(at(wide, band, 700) - at(narrow, band, 700)));
    for (const difference of differences) expect(difference).toBeLessThan(0.1);
  });

  it('of no audio at all are finite', () => {
    const computed = features.compute(new Int16Array(0), 8_000);
    expect(computed.every((value) => value === computed[0])).toBe(true);
    expect(Number.isFinite(computed[0])).toBe(true);
  });

  it('refuse other sample rates than 8 and 16 kHz', () => {
    expect(() => features.compute(new Int16Array(100), 44_100)).toThrow(RangeError);
  });
});
