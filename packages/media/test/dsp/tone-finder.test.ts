import { describe, expect, it } from 'vitest';
import { ToneFinder } from '../../src/dsp/tone-finder.ts';

const rateHz = 8_000;

/** Looks at the last 32 ms of a sum of tones, each with its frequency and amplitude. */
function found(tones: readonly (readonly [hz: number, amplitude: number])[], samples = 512): ToneFinder {
  const finder = new ToneFinder();
  for (let i = 0; i < samples; i++) {
    finder.add(tones.reduce((sum, [hz, amplitude]) => sum + amplitude * Math.sin((2 * Math.PI * hz * i) / rateHz), 0));
  }
  finder.look();
  return finder;
}

describe('ToneFinder', () => {
  it.each([400, 440, 1_000, 1_004.5, 1_400, 1_990])('finds one tone of %d Hz to within 2 Hz', (hz) => {
    const { tones, lowHz, highHz } = found([[hz, 8_000]]);
    expect(tones).toBe(1);
    expect(Math.abs(lowHz - hz)).toBeLessThan(2);
    expect(highHz).toBe(lowHz);
  });

  it.each([
    [440, 1_000],
    [697, 1_209],
    [941, 1_633],
  ])('finds two tones of %i and %i Hz', (low, high) => {
    const finder = found([
      [low, 6_000],
      [high, 6_000],
    ]);
    expect(finder.tones).toBe(2);
    expect(Math.abs(finder.lowHz - low)).toBeLessThan(5);
    expect(Math.abs(finder.highHz - high)).toBeLessThan(5);
  });

  it('measures the root mean square of the samples', () => {
    expect(found([[1_000, 8_000]]).level).toBeCloseTo(8_000 / Math.SQRT2, -1);
    expect(found([]).level).toBe(0);
  });

  it('ignores hum beside a tone', () => {
    expect(
      found([
        [1_000, 4_000],
        [50, 4_000],
      ]).tones,
    ).toBe(1);
  });

  it.each([
    ['silence', []],
    ['a tone that is too soft', [[1_000, 80]]],
    ['a tone below 390 Hz', [[300, 8_000]]],
    ['a tone above 2,020 Hz', [[2_200, 8_000]]],
    [
      'three tones',
      [
        [500, 5_000],
        [900, 5_000],
        [1_500, 5_000],
      ],
    ],
    [
      'a tone with a strong harmonic outside of the band',
      [
        [1_000, 5_000],
        [3_000, 5_000],
      ],
    ],
    [
      'two tones so close that they beat',
      [
        [1_000, 5_000],
        [1_020, 5_000],
      ],
    ],
  ] satisfies [string, [number, number][]][])('finds no tone in %s', (_, tones) => {
    expect(found(tones).tones).toBe(0);
  });

  it('finds no tone that swells within the window', () => {
    const finder = new ToneFinder();
    for (let i = 0; i < 256; i++) finder.add((5_000 + 16 * i) * Math.sin((2 * Math.PI * 1_000 * i) / rateHz));
    finder.look();
    expect(finder.tones).toBe(0);
  });
});
