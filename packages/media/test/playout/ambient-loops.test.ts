import { describe, expect, it } from 'vitest';
import { type AmbientSound, ambientLoop } from '../../src/playout/ambient-loops.ts';

const frameSamples = 160;

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Returns the differences between neighbouring samples in ascending order, including from the last to the first. */
function steps(loop: Int16Array): number[] {
  return Array.from(loop, (sample, i) => Math.abs(sample - (loop.at(i - 1) ?? 0))).sort((a, b) => a - b);
}

/** Returns the share of the energy below the cutoff, by a first-order low-pass filter. */
function shareBelow(samples: Int16Array, cutoffHz: number): number {
  const share = 1 - Math.exp((-2 * Math.PI * cutoffHz) / 8_000);
  let level = 0;
  const low = samples.map((sample) => {
    level += share * (sample - level);
    return level;
  });
  return (rms(low) / rms(samples)) ** 2;
}

const sounds: AmbientSound[] = ['office', 'cafe', 'static'];

describe('an ambient sound', () => {
  it.each([
    ['office', 5_200],
    ['cafe', 3_600],
    ['static', 1_600],
  ] as const)('%s lasts eight seconds in whole frames, at its level and without clipping', (sound, level) => {
    const loop = ambientLoop(sound);
    expect(loop.length).toBe(400 * frameSamples);
    expect(Math.abs(rms(loop) / level - 1)).toBeLessThan(0.01);
    expect(loop.filter((sample) => Math.abs(sample) >= 32_767)).toHaveLength(0);
  });

  it.each(sounds)('%s loops without a discontinuity', (sound) => {
    const loop = ambientLoop(sound);
    const inner = steps(loop.subarray(1)).at(-1) ?? 0;
    expect(Math.abs((loop[0] ?? 0) - (loop.at(-1) ?? 0))).toBeLessThanOrEqual(inner);
    const around = Int16Array.from([...loop.subarray(-80), ...loop.subarray(0, 80)]);
    const levels = Array.from({ length: 400 }, (_, frame) => rms(loop.subarray(frame * 160, frame * 160 + 160)));
    expect(rms(around)).toBeGreaterThan(Math.min(...levels) * 0.7);
    expect(rms(around)).toBeLessThan(Math.max(...levels) * 1.3);
  });

  it.each(sounds)('%s is created once and is never silent', (sound) => {
    const loop = ambientLoop(sound);
    expect(ambientLoop(sound)).toBe(loop);
    const levels = Array.from({ length: 400 }, (_, frame) =>
      rms(loop.subarray(frame * frameSamples, (frame + 1) * frameSamples)),
    );
    expect(Math.min(...levels)).toBeGreaterThan(rms(loop) / 4);
  });

  it('has keystrokes in the office, swells in the café, and is even as line noise', () => {
    const spread = (sound: AmbientSound): number => {
      const loop = ambientLoop(sound);
      const levels = Array.from({ length: 80 }, (_, i) => rms(loop.subarray(i * 800, (i + 1) * 800)));
      const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
      return Math.sqrt(levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length) / mean;
    };
    const peak = (sound: AmbientSound): number =>
      ambientLoop(sound).reduce((most, each) => Math.max(most, Math.abs(each)), 0) / rms(ambientLoop(sound));
    expect(spread('static')).toBeLessThan(0.06);
    expect(spread('cafe')).toBeGreaterThan(0.2);
    expect(peak('office')).toBeGreaterThan(4.5);
    expect(peak('static')).toBeLessThan(4);
    expect(shareBelow(ambientLoop('office'), 1_000)).toBeGreaterThan(shareBelow(ambientLoop('static'), 1_000));
  });
});
