import { describe, expect, it } from 'vitest';
import { PeakMeter } from '../../src/recordings/peak-meter.ts';

/** The samples, little-endian. */
function bytesOf(samples: readonly number[]): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [at, sample] of samples.entries()) bytes.writeInt16LE(sample, at * 2);
  return bytes;
}

function meterOf(samples: readonly number[], points: number, channels = 1): PeakMeter {
  const format = { channels, sampleRateHz: 8_000, dataStart: 44, dataBytes: samples.length * 2 };
  return new PeakMeter(format, points);
}

function peaksOf(samples: readonly number[], points: number, channels?: number): number[][] {
  const meter = meterOf(samples, points, channels);
  meter.push(bytesOf(samples));
  return meter.peaks();
}

describe('PeakMeter', () => {
  it('keeps the largest magnitude of each point, with three decimals', () => {
    expect(peaksOf([100, -16_384, 3_277, 8_192], 2)).toEqual([[0.5, 0.25]]);
    expect(peaksOf([1_000], 1)).toEqual([[0.031]]);
  });

  it('is 1 at the full scale of a 16-bit sample', () => {
    expect(peaksOf([-32_768, 32_767], 2)).toEqual([[1, 1]]);
  });

  it('measures interleaved channels separately', () => {
    expect(peaksOf([16_384, 0, 0, -8_192], 1, 2)).toEqual([[0.5], [0.25]]);
  });

  it('has a point per sample of a recording with fewer samples than points', () => {
    expect(peaksOf([16_384, 8_192, 0], 800)).toEqual([[0.5, 0.25, 0]]);
  });

  it('spreads samples over points that do not divide them', () => {
    expect(peaksOf([16_384, 0, 0, 8_192, 0], 2)).toEqual([[0.5, 0.25]]);
  });

  it('has no points for a recording without samples', () => {
    expect(peaksOf([], 10, 2)).toEqual([[], []]);
  });

  it.each([1, 2, 3, 4, 5, 7])('measures the same of chunks of %i bytes', (size) => {
    const samples = [1, -2_000, 32_767, -32_768, 5, 12_345, -9_999, 257, 16_384, -1, 0, 7];
    const bytes = bytesOf(samples);
    const meter = meterOf(samples, 3, 2);
    for (let at = 0; at < bytes.byteLength; at += size) meter.push(bytes.subarray(at, at + size));
    expect(meter.peaks()).toEqual(peaksOf(samples, 3, 2));
  });

  it('is 0 at the points of samples that have not arrived', () => {
    const meter = meterOf([0, 0, 0, 0], 4);
    meter.push(bytesOf([16_384, 8_192]));
    expect(meter.peaks()).toEqual([[0.5, 0.25, 0, 0]]);
  });

  it('ignores bytes beyond the announced samples', () => {
    const meter = meterOf([0, 0], 2);
    meter.push(bytesOf([16_384, 8_192, 32_767]));
    meter.push(bytesOf([32_767]));
    expect(meter.peaks()).toEqual([[0.5, 0.25]]);
  });
});
