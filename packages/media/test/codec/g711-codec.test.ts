import { describe, expect, it } from 'vitest';
import { decodeG711, type G711Encoding } from '../../src/codec/g711.ts';
import { createG711Codec } from '../../src/codec/g711-codec.ts';
import { legAudio } from '../../src/codec/leg-encoding.ts';
import { decodeSamples } from '../../src/codec/leg-samples.ts';

const other = { pcmu: 'pcma', pcma: 'pcmu' } as const satisfies Record<G711Encoding, G711Encoding>;

describe.each(['pcmu', 'pcma'] as const)('the codec of %s on the wire', (wire) => {
  it('passes its own encoding through without a copy', () => {
    const codec = createG711Codec(wire, wire);
    const audio = Uint8Array.of(1, 2, 3);
    expect(codec.decode(audio)).toBe(audio);
    expect(codec.encode(audio)).toBe(audio);
  });

  it('converts every code of the other law to the nearest one', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const converted = createG711Codec(wire, other[wire]).decode(codes) ?? new Uint8Array(0);
    const before = decodeG711(wire, codes);
    const after = decodeG711(other[wire], converted);
    for (const [i, sample] of before.entries()) {
      expect(Math.abs((after[i] ?? 0) - sample)).toBeLessThanOrEqual(Math.max(16, Math.abs(sample) / 30));
    }
  });

  it.each([0, 1, 80, 160, 240, 1_600])('doubles the rate of %i bytes for a 16 kHz leg', (bytes) => {
    const codec = createG711Codec(wire, 'pcm16');
    expect(codec.decode(new Uint8Array(bytes).fill(legAudio[wire].silence))).toHaveLength(4 * bytes);
  });

  it('limits payloads to 200 ms', () => {
    expect(createG711Codec(wire, other[wire]).decode(new Uint8Array(60_000))).toHaveLength(1_600);
    expect(createG711Codec(wire, 'pcm16').decode(new Uint8Array(60_000))).toHaveLength(6_400);
  });

  it('keeps a constant level between the rates, in both directions', () => {
    const codec = createG711Codec(wire, 'pcm16');
    const loud = new Uint8Array(160).fill(createG711Codec('pcmu', wire).encode(Uint8Array.of(0x8f))[0] ?? 0);
    const level = decodeG711(wire, loud)[0] ?? 0;
    codec.decode(loud);
    const wide = (codec.decode(loud) ?? new Uint8Array(0)).slice();
    for (const sample of decodeSamples('pcm16', wide)) expect(Math.abs(sample / level - 1)).toBeLessThan(0.01);
    codec.encode(wide);
    expect(codec.encode(wide)).toEqual(loud);
  });
});
