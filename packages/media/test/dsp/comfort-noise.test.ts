import { describe, expect, it } from 'vitest';
import { legAudio } from '../../src/codec/leg-encoding.ts';
import { decodeSamples } from '../../src/codec/leg-samples.ts';
import { ComfortNoise } from '../../src/dsp/comfort-noise.ts';

describe.each(['pcmu', 'pcma', 'pcm16'] as const)('comfort noise in %s', (encoding) => {
  /** Level of ten frames in dB of the full scale. */
  function levelDb(payload: readonly number[]): number {
    const noise = new ComfortNoise(encoding);
    let sum = 0;
    for (let n = 0; n < 10; n++) {
      const frame = noise.frame(Uint8Array.from(payload));
      expect(frame).toHaveLength(legAudio[encoding].frameBytes);
      for (const sample of decodeSamples(encoding, frame)) sum += sample ** 2;
    }
    return 10 * Math.log10(sum / (10 * legAudio[encoding].frameSamples) / 32_768 ** 2);
  }

  it.each([30, 40, 50, 60])('has the level −%i dBov of its packet', (level) => {
    expect(levelDb([level])).toBeCloseTo(-level, 0);
  });

  it.each([
    ['a level above that of a silent line', [0], -30],
    ['the reserved bit', [0x80 | 45], -45],
    ['spectral parameters', [45, 1, 2, 3], -45],
  ])('ignores %s', (_, payload, expected) => {
    expect(levelDb(payload)).toBeCloseTo(expected, 0);
  });

  it('is nearly silent without a level', () => {
    expect(levelDb([])).toBeLessThan(-70);
    expect(levelDb([127])).toBeLessThan(-70);
  });

  it('does not repeat from frame to frame', () => {
    const noise = new ComfortNoise(encoding);
    const first = noise.frame(Uint8Array.of(30)).slice();
    expect(noise.frame(Uint8Array.of(30))).not.toEqual(first);
  });
});
