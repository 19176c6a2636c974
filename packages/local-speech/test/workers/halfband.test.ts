import { describe, expect, it } from 'vitest';
import { Doubler, halve } from '../../workers/halfband.js';

const tone = (frequencyHz: number, sampleRateHz: number) =>
  Int16Array.from({ length: sampleRateHz }, (_, i) => 8_000 * Math.sin((2 * Math.PI * frequencyHz * i) / sampleRateHz));
const level = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe('half-band filter', () => {
  it('halves the rate, keeps the telephone band, and lets nothing above it alias', () => {
    expect(halve(tone(1_000, 16_000))).toHaveLength(8_000);
    expect(level(halve(tone(1_000, 16_000))) / level(tone(1_000, 16_000))).toBeCloseTo(1, 2);
    expect(level(halve(tone(6_000, 16_000))) / level(tone(6_000, 16_000))).toBeLessThan(0.01);
  });

  it('doubles a stream identically for any chunk sizes', () => {
    const samples = tone(700, 8_000);
    const whole = new Doubler().double(samples);
    const pieces = new Doubler();
    const joined: number[] = [];
    for (let at = 0; at < samples.length; at += 160) joined.push(...pieces.double(samples.subarray(at, at + 160)));
    expect(joined).toEqual([...whole]);
    expect(level(whole) / level(samples)).toBeCloseTo(1, 2);
  });
});
