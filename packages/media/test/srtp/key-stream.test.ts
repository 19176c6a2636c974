import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeyStream } from '../../src/srtp/key-stream.ts';

const key = Uint8Array.from({ length: 16 }, (_, i) => i * 11 + 3);
const salt = Uint8Array.from({ length: 14 }, (_, i) => 200 - i * 7);

/** Computes the key stream with OpenSSL's AES-128 in counter mode. @see RFC 3711 §4.1.1 */
function expected(ssrc: number, index: number, length: number): Buffer {
  const counter = Buffer.alloc(16);
  counter.set(salt);
  counter.writeUInt32BE((counter.readUInt32BE(4) ^ ssrc) >>> 0, 4);
  counter.writeUIntBE(Number(BigInt(counter.readUIntBE(8, 6)) ^ BigInt(index)), 8, 6);
  return createCipheriv('aes-128-ctr', key, counter).update(Buffer.alloc(length));
}

describe('the SRTP key stream', () => {
  const streams = new KeyStream(key, salt, 16);
  const take = (ssrc: number, index: number, length = 160): Buffer => {
    streams.take(ssrc, Math.floor(index / 0x10000), index % 0x10000, length);
    return Buffer.from(streams.bytes.subarray(streams.at, streams.at + length));
  };

  it('matches counter mode for consecutive packets of any length', () => {
    for (let index = 70; index < 110; index++) expect(take(5, index)).toEqual(expected(5, index, 160));
    for (const length of [1, 16, 17, 160, 161, 400, 33, 1_400]) {
      for (let index = 110; index < 113; index++) expect(take(5, index, length)).toEqual(expected(5, index, length));
    }
  });

  it('matches counter mode for missing, late and repeated packets, and for several sources', () => {
    for (const index of [1_000, 1_003, 1_002, 1_001, 1_015, 1_016, 1_015, 900, 40_000, 1_000, 1_000]) {
      expect(take(9, index)).toEqual(expected(9, index, 160));
      expect(take(0xffff_ffff, index)).toEqual(expected(0xffff_ffff, index, 160));
    }
  });

  it('continues over a rollover', () => {
    for (let index = 0xffff - 20; index < 0x10000 + 20; index++)
      expect(take(1, index)).toEqual(expected(1, index, 160));
    const last = 0x10000 * 0xffff_ffff + 0xffff;
    expect(take(1, last)).toEqual(expected(1, last, 160));
  });
});
