import { describe, expect, it } from 'vitest';
import { decodeG711, encodeG711, g711Silence } from '../../src/codec/g711.ts';

describe.each(['pcmu', 'pcma'] as const)('G.711 %s', (encoding) => {
  it('decodes and encodes every code back to itself', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const again = encodeG711(encoding, decodeG711(encoding, codes));
    // μ-law has two codes for zero; both decode to 0 and encode to the positive one.
    const expected = codes.map((code) => (encoding === 'pcmu' && code === 0x7f ? 0xff : code));
    expect(again).toEqual(expected);
  });

  it('keeps the error below 5 % of the sample, and small samples near zero', () => {
    const samples = Int16Array.from({ length: 6_000 }, (_, i) => Math.round(Math.sin(i / 7) * (i * 5)));
    const heard = decodeG711(encoding, encodeG711(encoding, samples));
    for (const [i, sample] of samples.entries()) {
      expect(Math.abs((heard[i] ?? 0) - sample)).toBeLessThanOrEqual(Math.max(16, Math.abs(sample) / 20));
    }
  });

  it('encodes silence as the idle code of the line', () => {
    expect(encodeG711(encoding, new Int16Array(1))[0]).toBe(g711Silence[encoding]);
  });
});
