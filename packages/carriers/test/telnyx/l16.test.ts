import { describe, expect, it } from 'vitest';
import { L16Samples } from '../../src/telnyx/l16.ts';

/** 20 ms at 16 kHz. */
function frame(sampleAt: (n: number) => number, isBigEndian: boolean): Buffer {
  const bytes = Buffer.alloc(640);
  for (let n = 0; n < 320; n++) {
    const sample = Math.round(sampleAt(n));
    if (isBigEndian) bytes.writeInt16BE(sample, 2 * n);
    else bytes.writeInt16LE(sample, 2 * n);
  }
  return bytes;
}

const speech = (n: number): number => 9_000 * Math.sin(n / 6) + 1_000 * Math.sin(n / 1.1);
const hush = (n: number): number => (n % 3) - 1;
const firstSample = (audio: Uint8Array): number => Buffer.from(audio).readInt16LE(2 * 100);

describe('L16 samples of Telnyx', () => {
  it.each([
    ['speech in network byte order', speech, true],
    ['speech with little-endian samples', speech, false],
    ['the noise of a quiet line in network byte order', hush, true],
    ['the noise of a quiet line with little-endian samples', hush, false],
  ] as const)('are read and written in the order of %s', (_, sound, isBigEndian) => {
    const samples = new L16Samples();
    const expected = Math.round(sound(100));
    expect(firstSample(samples.read(frame(sound, isBigEndian)))).toBe(expected);
    expect(samples.write(frame(sound, false))).toEqual(frame(sound, isBigEndian));
    // The order of a stream never changes, whatever is heard later.
    const noise = (n: number): number => ((n * 7_919) % 65_536) - 32_768;
    samples.read(frame(noise, isBigEndian));
    expect(samples.write(frame(sound, false))).toEqual(frame(sound, isBigEndian));
  });

  it('are in network byte order before there is any sound', () => {
    const samples = new L16Samples();
    samples.read(Buffer.alloc(640));
    samples.read(Buffer.alloc(0));
    expect(samples.write(frame(speech, false))).toEqual(frame(speech, true));
    expect(firstSample(samples.read(frame(speech, false)))).toBe(Math.round(speech(100)));
  });

  it('leave out an odd last byte', () => {
    expect(new L16Samples().read(Buffer.alloc(641))).toHaveLength(640);
  });
});
