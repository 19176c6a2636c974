import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillRtp, parseRtp, rtpHeaderLength, rtpLength, writeRtp } from '../../src/packet/rtp-packet.ts';

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

  it('is parsed from the middle of a larger buffer', () => {
    const bytes = new Uint8Array(64).fill(0xff);
    bytes.set(writeRtp({ ...packet, payload }), 20);
    const parsed = parseRtp(bytes.subarray(20, 20 + rtpLength(payload)));
    expect(parsed?.payload).toEqual(payload);
    expect(parsed?.payload.byteOffset).toBe(32);
  });

  it('may consist of a header alone, of 12 to 72 bytes and an extension', () => {
    expect(parseRtp(writeRtp({ ...packet, payload: new Uint8Array(0) }))?.payload).toHaveLength(0);
    const whole = Uint8Array.of(0x9f, ...new Uint8Array(71), 0, 0, 0, 1, 1, 2, 3, 4);
    expect(rtpHeaderLength(whole, whole.length)).toBe(80);
    expect(rtpHeaderLength(whole, 79)).toBe(-1);
    expect(parseRtp(whole)?.payload).toHaveLength(0);
  });

  it('may consist of padding without a payload', () => {
    expect(parseRtp(Uint8Array.of(0xa0, ...new Uint8Array(11), 0, 0, 3))?.payload).toHaveLength(0);
  });

  it('overwrites all of its bytes in a buffer, and none behind them', () => {
    const bytes = new Uint8Array(20).fill(0xff);
    fillRtp(bytes, { marker: false, payloadType: 0, sequence: 0, timestamp: 0, ssrc: 0, payload });
    expect([...bytes]).toEqual([0x80, ...new Uint8Array(11), 1, 2, 3, 4, 255, 255, 255, 255]);
    expect(writeRtp({ ...packet, payload }, 10)).toHaveLength(26);
  });

  it('is parsed or refused, without an error, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 90 }), fc.constantFrom(0x80, 0xa0, 0xb3, 0xbf), (bytes, first) => {
        if (bytes.length > 0) bytes[0] = first;
        const parsed = parseRtp(bytes);
        if (parsed !== null) expect(parsed.payload.length).toBeLessThanOrEqual(bytes.length - 12);
      }),
      { numRuns: 200 },
    );
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
