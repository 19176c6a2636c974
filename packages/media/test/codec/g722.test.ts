import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { G722Decoder, G722Encoder } from '../../src/codec/g722/g722.ts';

/** Noise, quiet noise, ramps, square waves, silence and a sweep, 250 ms each, to cover difficult inputs. */
function torture(shift: number): Int16Array {
  let state = 12_345;
  return Int16Array.from({ length: 32_000 }, (_, i) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const noise = (state >>> 16) - 32_768;
    const parts = [
      noise,
      noise >> 6,
      (((i * 37) % 2_000) - 1_000) * 16,
      Math.floor(i / 23) % 2 === 1 ? 32_767 : -32_768,
      0,
      (Math.floor((i * i) / 64) % 20_000) - 10_000,
      (noise >> 3) + (((i * 11) % 400) - 200) * 40,
      noise >> 10,
    ];
    return (parts[Math.floor(i / 4_000)] ?? 0) >> shift;
  });
}

function digest(data: Uint8Array | Int16Array): string {
  return createHash('sha256')
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest('hex');
}

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

// Expected digests come from SpanDSP 0.0.6 at 64 kbit/s.
describe('G.722', () => {
  it.each([
    [0, '6f64dbb6755976e7a78e6f07d01ece8c47b77e7f4f0e78c1e38d6c8d941cc9fa'],
    [2, 'fc381b96b6daca636fe184a73966dcda0d4424efd2a4904de5988c6763382f00'],
  ])('encodes bit-exactly like SpanDSP, %i bits below full scale', (shift, expected) => {
    expect(digest(new G722Encoder().encode(torture(shift)))).toBe(expected);
  });

  it('decodes bit-exactly like SpanDSP', () => {
    const codes = new G722Encoder().encode(torture(2));
    expect(digest(new G722Decoder().decode(codes))).toBe(
      'eaaa86b9e1cba0423d41d1fa7590f199193c90423c9c0a893dce61c72a2c5054',
    );
  });

  it('gives the same result in pieces as in one call', () => {
    const [pieces, whole, decoder] = [new G722Encoder(), new G722Encoder(), new G722Decoder()];
    const samples = torture(1);
    const codes = whole.encode(samples);
    const inPieces = Array.from({ length: 100 }, (_, i) => [
      ...pieces.encode(samples.subarray(i * 320, i * 320 + 320)),
    ]);
    expect(inPieces.flat()).toEqual([...codes]);
    const decoded = Array.from({ length: 100 }, (_, i) => [...decoder.decode(codes.subarray(i * 160, i * 160 + 160))]);
    expect(decoded.flat()).toEqual([...new G722Decoder().decode(codes)]);
  });

  it.each([300, 1_000, 3_400, 6_500])('keeps the signal of %i Hz well above the quantization noise', (hertz) => {
    const tone = Int16Array.from({ length: 16_000 }, (_, i) => 9_000 * Math.sin((2 * Math.PI * hertz * i) / 16_000));
    const heard = new G722Decoder().decode(new G722Encoder().encode(tone));
    // The filters of encoder and decoder delay by 22 samples together.
    const error = heard.subarray(4_022).map((sample, i) => sample - (tone[4_000 + i] ?? 0));
    expect(20 * Math.log10(rms(tone) / rms(error))).toBeGreaterThan(18);
  });

  it('saturates at full scale, and accepts any codes', () => {
    const codes = Uint8Array.from({ length: 16_000 }, (_, i) => (i * i * 7 + i * 13 + (i >> 5)) & 0xff);
    const heard = new G722Decoder().decode(codes);
    expect(heard.some((sample) => sample === 32_767 || sample === -32_768)).toBe(true);
    expect(new G722Decoder().decode(new Uint8Array(0))).toHaveLength(0);
  });
});
