import { describe, expect, it } from 'vitest';
import { decodeG711, encodeG711, g711Silence } from '../../src/codec/g711.ts';

/** The compression and expansion algorithms of ITU-T G.191, which compute each sample instead of using tables. */
const reference = {
  pcmu: {
    decode(code: number): number {
      const mantissa = ~code & 0xff;
      const segment = ((mantissa >> 4) & 7) + 1;
      const step = 4 << segment;
      const magnitude = (0x80 << (segment - 1)) + step * (mantissa & 0x0f) + step / 2 - 4 * 33;
      return code < 0x80 ? -magnitude : magnitude;
    },
    encode(sample: number): number {
      const magnitude = Math.min(0x1fff, ((sample < 0 ? ~sample : sample) >> 2) + 33);
      let segment = 1;
      for (let rest = magnitude >> 6; rest > 0; rest >>= 1) segment += 1;
      const code = ((8 - segment) << 4) | (0x0f - ((magnitude >> segment) & 0x0f));
      return sample >= 0 ? code | 0x80 : code;
    },
  },
  pcma: {
    decode(code: number): number {
      const toggled = (code ^ 0x55) & 0x7f;
      const exponent = toggled >> 4;
      const mantissa = (((toggled & 0x0f) + (exponent > 0 ? 16 : 0)) << 4) + 8;
      const magnitude = exponent > 1 ? mantissa << (exponent - 1) : mantissa;
      return code > 127 ? magnitude : -magnitude;
    },
    encode(sample: number): number {
      let magnitude = (sample < 0 ? ~sample : sample) >> 4;
      if (magnitude > 15) {
        let exponent = 1;
        for (; magnitude > 31; magnitude >>= 1) exponent += 1;
        magnitude = magnitude - 16 + (exponent << 4);
      }
      return (sample >= 0 ? magnitude | 0x80 : magnitude) ^ 0x55;
    },
  },
} as const;

describe.each(['pcmu', 'pcma'] as const)('G.711 %s', (encoding) => {
  it('decodes and encodes every code back to itself', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const again = encodeG711(encoding, decodeG711(encoding, codes));
    // μ-law has two codes for zero; both decode to 0 and encode to the positive one.
    const expected = codes.map((code) => (encoding === 'pcmu' && code === 0x7f ? 0xff : code));
    expect(again).toEqual(expected);
  });

  it('agrees with the reference algorithm for every code and sample', () => {
    const { decode, encode } = reference[encoding];
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    expect(decodeG711(encoding, codes)).toEqual(Int16Array.from(codes, decode));
    const samples = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
    const encoded = encodeG711(encoding, samples);
    // Either level is correct on the boundary between the two.
    const wrong = samples.filter((sample, i) => encoded[i] !== encode(sample) && encoded[i] !== encode(sample - 1));
    expect([...wrong]).toEqual([]);
    expect([...encoded].filter((code, i) => code !== encode(samples[i] as number)).length).toBeLessThan(150);
  });

  it('decodes into a longer buffer without touching the rest', () => {
    const into = new Int16Array(4).fill(7);
    decodeG711(encoding, Uint8Array.of(g711Silence[encoding]), into);
    expect([...into.subarray(1)]).toEqual([7, 7, 7]);
    expect(decodeG711(encoding, new Uint8Array(0))).toHaveLength(0);
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
