import { describe, expect, it } from 'vitest';
import { parseRtp, writeRtp } from '../../src/packet/rtp-packet.ts';

const packet = { marker: true, payloadType: 96, sequence: 65_535, timestamp: 4_294_967_295, ssrc: 3_000_000_000 };
const payload = Uint8Array.of(1, 2, 3, 4);

describe('an RTP packet', () => {
  it('round-trips', () => {
    expect(parseRtp(writeRtp({ ...packet, payload }))).toEqual({ ...packet, payload });
  });

  it('is parsed without its contributing sources, extension and padding', () => {
    const plain = writeRtp({ ...packet, payload });
    const bytes = Uint8Array.of(
      ...[0xb1, ...plain.subarray(1, 12)],
      ...[9, 9, 9, 9],
      ...[0xbe, 0xde, 0, 1, 7, 7, 7, 7],
      ...payload,
      ...[0, 0, 3],
    );
    expect(parseRtp(bytes)).toEqual({ ...packet, payload });
  });

  it.each([
    ['too few bytes', new Uint8Array(11)],
    ['another version', Uint8Array.of(0x40, ...new Uint8Array(20))],
    ['missing contributing sources', Uint8Array.of(0x8f, ...new Uint8Array(12))],
    ['a missing extension', Uint8Array.of(0x90, ...new Uint8Array(11))],
    ['an extension longer than the packet', Uint8Array.of(0x90, ...new Uint8Array(13), 0, 9)],
    ['padding longer than the packet', Uint8Array.of(0xa0, ...new Uint8Array(11), 200)],
    ['padding of length zero', Uint8Array.of(0xa0, ...new Uint8Array(12))],
  ])('is refused with %s', (_, bytes) => {
    expect(parseRtp(bytes)).toBeNull();
  });
});
