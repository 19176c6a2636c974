import { describe, expect, it } from 'vitest';
import { createOpusDecoder, createOpusEncoder, type OpusLibrary } from '../../src/codec/opus-codec.ts';

/** A library whose packets are the samples themselves. */
function fakeLibrary(): { library: OpusLibrary; rates: number[]; bitrates: number[]; encoded: number[][] } {
  const seen = { rates: [] as number[], bitrates: [] as number[], encoded: [] as number[][] };
  class OpusEncoder {
    constructor(rateHz: number, channels: number) {
      seen.rates.push(rateHz * channels);
    }
    encode(pcm: Buffer): Buffer {
      seen.encoded.push([...pcm]);
      return pcm;
    }
    decode(packet: Buffer): Buffer {
      if (packet[0] === 0xff) throw new Error('corrupted stream');
      return packet;
    }
    setBitrate(bitsPerSecond: number): void {
      seen.bitrates.push(bitsPerSecond);
    }
  }
  return { library: { OpusEncoder }, ...seen };
}

describe('the Opus decoder', () => {
  it('decodes to the encoding of the leg, at its rate', () => {
    const { library, rates } = fakeLibrary();
    const packet = Uint8Array.of(0, 0, 0x40, 0x1f);
    expect([...(createOpusDecoder(library, 'pcm16').decode(packet) ?? [])]).toEqual([...packet]);
    expect([...(createOpusDecoder(library, 'pcma').decode(packet) ?? [])]).toEqual([0xd5, 0x8a]);
    expect(rates).toEqual([16_000, 8_000]);
  });

  it('reads only the packet from a larger buffer', () => {
    const bytes = Uint8Array.of(9, 9, 1, 0, 9, 9);
    expect([...(createOpusDecoder(fakeLibrary().library, 'pcm16').decode(bytes.subarray(2, 4)) ?? [])]).toEqual([1, 0]);
  });

  it('returns null for a packet that is empty or corrupted', () => {
    const decoder = createOpusDecoder(fakeLibrary().library, 'pcmu');
    expect(decoder.decode(new Uint8Array(0))).toBeNull();
    expect(decoder.decode(Uint8Array.of(0xff))).toBeNull();
    expect(decoder.decode(Uint8Array.of(0, 0))).toHaveLength(1);
  });
});

describe('the Opus encoder', () => {
  it('encodes little-endian samples of the leg at 24 kbit/s', () => {
    const { library, rates, bitrates, encoded } = fakeLibrary();
    createOpusEncoder(library, 'pcmu').encode(Uint8Array.of(0xff, 0x80));
    createOpusEncoder(library, 'pcm16').encode(Uint8Array.of(1, 2));
    expect(encoded).toEqual([
      [0, 0, 0x7c, 0x7d],
      [1, 2],
    ]);
    expect([rates, bitrates]).toEqual([
      [8_000, 16_000],
      [24_000, 24_000],
    ]);
  });
});
