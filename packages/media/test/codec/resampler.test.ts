import { purity, seeded, tone, toneLevel } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { createResampler } from '../../src/codec/resampler.ts';

const ratios = [
  [16_000, 24_000],
  [24_000, 16_000],
  [16_000, 8_000],
  [8_000, 16_000],
  [48_000, 16_000],
  [32_000, 24_000],
] as const;

describe.each(ratios)('createResampler from %i to %i Hz', (fromHz, toHz) => {
  it('keeps the pitch and the level of a tone', () => {
    const heard = createResampler(fromHz, toHz)(tone(1_000, 2_500, 8_000, fromHz)).subarray(toHz / 10, (toHz * 9) / 10);
    expect(purity(heard, 2_500, toHz)).toBeGreaterThan(0.999);
    expect(Math.abs(toneLevel(heard, 2_500, toHz) / 8_000 - 1)).toBeLessThan(0.02);
  });

  it('has the same result for chunks of any lengths', () => {
    const random = seeded(7);
    const samples = Int16Array.from({ length: 4_000 }, () => Math.round((random() - 0.5) * 60_000));
    const whole = createResampler(fromHz, toHz)(samples);
    const resample = createResampler(fromHz, toHz);
    const parts: number[] = [];
    for (let at = 0; at < samples.length; ) {
      const length = Math.floor(random() * 400);
      parts.push(...resample(samples.subarray(at, at + length)));
      at += length;
    }
    expect(parts).toEqual([...whole]);
    expect(Math.abs(whole.length - (4_000 * toHz) / fromHz)).toBeLessThanOrEqual(80);
  });
});

it.each([
  [24_000, 16_000, 11_000],
  [48_000, 16_000, 12_000],
])('createResampler does not alias from %i to %i Hz', (fromHz, toHz, hertz) => {
  const heard = createResampler(fromHz, toHz)(tone(1_000, hertz, 8_000, fromHz)).subarray(400, -400);
  expect(Math.max(...heard.map(Math.abs))).toBeLessThan(200);
});

it('createResampler refuses rates without a simple ratio', () => {
  expect(() => createResampler(44_100, 16_000)).toThrow(RangeError);
});
