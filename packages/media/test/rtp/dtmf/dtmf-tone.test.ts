import { purity } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { decodeG711 } from '../../../src/codec/g711.ts';
import { DtmfSender } from '../../../src/rtp/dtmf/dtmf-sender.ts';
import { toneFrame } from '../../../src/rtp/dtmf/dtmf-tone.ts';

/** Returns the samples of a digit, with the silence after it. */
function heard(digit: string, toneMs: number, encoding: 'pcmu' | 'pcma'): Int16Array {
  const sender = new DtmfSender();
  sender.press(digit, toneMs);
  const samples: number[] = [];
  for (let step = sender.next(); step !== null; step = sender.next()) {
    if (step.kind === 'event')
      samples.push(...decodeG711(encoding, toneFrame(step.packet, step.soundsFromMs, encoding)));
  }
  return Int16Array.from(samples);
}

/** Returns the level of one tone among others in dBm0; full scale is 3.17 dBm0. */
function levelDbm(pcm: Int16Array, hertz: number): number {
  const meanSquare = pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length;
  return 10 * Math.log10((purity(pcm, hertz) * meanSquare) / (32_635 ** 2 / 2)) + 3.17;
}

describe('a DTMF digit as tones', () => {
  it.each([
    ['1', 697, 1_209],
    ['6', 770, 1_477],
    ['*', 941, 1_209],
    ['0', 941, 1_336],
    ['#', 941, 1_477],
    ['D', 941, 1_633],
    ['A', 697, 1_633],
  ])('%s consists only of %s and %s Hz', (digit, row, column) => {
    const pcm = heard(digit, 200, 'pcmu').subarray(160, 1_440);
    expect(purity(pcm, row) + purity(pcm, column)).toBeGreaterThan(0.99);
    expect(levelDbm(pcm, row)).toBeCloseTo(-9, 0);
    expect(levelDbm(pcm, column)).toBeCloseTo(-7, 0);
  });

  it.each(['pcmu', 'pcma'] as const)('continues across frames and ends on time (%s)', (encoding) => {
    const pcm = heard('5', 90, encoding);
    expect(pcm.length).toBe(7 * 160);
    const step = pcm.map((sample, i) => Math.abs(sample - (pcm[i - 1] ?? 0)));
    // The steepest slope of two sines of these amplitudes, plus quantization noise.
    expect(Math.max(...step)).toBeLessThan(15_500);
    expect(Math.max(...pcm.subarray(0, 4).map(Math.abs))).toBeLessThan(3_000);
    expect(Math.max(...pcm.subarray(90 * 8).map(Math.abs))).toBeLessThan(10);
    expect(Math.max(...pcm.subarray(85 * 8, 88 * 8).map(Math.abs))).toBeGreaterThan(5_000);
  });
});
