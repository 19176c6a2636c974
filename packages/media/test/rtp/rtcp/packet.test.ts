import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeRtp } from '../../../src/packet/rtp-packet.ts';
import { isRtcp, type OutgoingRtcp, parseRtcp, writeRtcp } from '../../../src/rtp/rtcp/packet.ts';

const report = {
  ssrc: 0xdeadbeef,
  fractionLost: 77,
  packetsLost: -3,
  highestSequence: 0x1ffff,
  jitter: 160,
  lastReport: 0x12345678,
  delay: 65_536,
};
const sender = { ntpSeconds: 3_900_000_000, ntpFraction: 1 << 30, timestamp: 0xfffffff0, packets: 500, octets: 80_000 };
const packet: OutgoingRtcp = { ssrc: 9, cname: 'abcdefghijklmnop', sender, report, goodbye: false };

describe('RTCP', () => {
  it.each([0, 1, 2, 3, 4, 5])('round-trips with a name of %i characters', (length) => {
    const bytes = writeRtcp({ ...packet, cname: 'x'.repeat(length) });
    expect(bytes.length % 4).toBe(0);
    expect(parseRtcp(bytes)).toEqual({ ssrc: 9, sender, reports: [report], goodbye: false });
  });

  it('may omit the report and the sender, and say goodbye', () => {
    const bare = writeRtcp({ ...packet, sender: null, report: null, goodbye: true });
    expect(parseRtcp(bare)).toEqual({ ssrc: 9, sender: null, reports: [], goodbye: true });
    expect(bare[1]).toBe(201);
  });

  it('is distinguished from RTP on the same port', () => {
    expect(isRtcp(writeRtcp(packet))).toBe(true);
    const payload = new Uint8Array(4);
    for (const payloadType of [0, 8, 13, 96, 101, 127]) {
      const rtp = writeRtp({ marker: payloadType < 64, payloadType, sequence: 1, timestamp: 1, ssrc: 1, payload });
      expect(isRtcp(rtp)).toBe(false);
    }
  });

  it('is parsed with unknown packets skipped', () => {
    const unknown = Uint8Array.of(0x81, 205, 0, 2, 0, 0, 0, 1, 1, 2, 3, 4);
    const bytes = Uint8Array.of(
      ...writeRtcp(packet),
      ...unknown,
      ...writeRtcp({ ...packet, sender: null, goodbye: true }),
    );
    expect(parseRtcp(bytes)).toEqual({ ssrc: 9, sender, reports: [report, report], goodbye: true });
  });

  it.each([
    ['no bytes', []],
    ['an incomplete header', [0x80, 200]],
    ['another version', [0x40, 200, 0, 1, 0, 0, 0, 9]],
    ['a length beyond the packet', [0x80, 200, 0, 9, 0, 0, 0, 9]],
    ['no source', [0x80, 201, 0, 0]],
  ])('is refused with %s', (_, bytes) => {
    expect(parseRtcp(Uint8Array.from(bytes))).toBeNull();
  });

  it('with a wrong report count returns the reports that are present', () => {
    const bytes = writeRtcp(packet);
    bytes[0] = 0x9f;
    expect(parseRtcp(bytes)?.reports).toEqual([report]);
  });

  it.each([
    [-9_000_000, -0x7fffff],
    [9_000_000, 0x7fffff],
    [-1, -1],
  ])('limits %i lost packets to a field of 24 bits', (packetsLost, written) => {
    const bytes = writeRtcp({ ...packet, report: { ...report, packetsLost } });
    expect(parseRtcp(bytes)?.reports).toEqual([{ ...report, packetsLost: written }]);
  });

  it('counts packets and octets modulo 2³²', () => {
    const counted = { ...sender, packets: 2 ** 32 + 5, octets: 2 ** 33 + 7 };
    expect(parseRtcp(writeRtcp({ ...packet, sender: counted }))?.sender).toMatchObject({ packets: 5, octets: 7 });
  });

  it('is refused when it is a compound of more than 32 packets', () => {
    const one = [0x80, 201, 0, 1, 0, 0, 0, 9];
    const compound = (packets: number): Uint8Array =>
      Uint8Array.from(Array.from({ length: packets }, () => one).flat());
    expect(parseRtcp(compound(32))?.ssrc).toBe(9);
    expect(parseRtcp(compound(33))).toBeNull();
  });

  it('is parsed or refused, without an error, for any bytes', () => {
    const start = fc.constantFrom([0x81, 200], [0x9f, 201], [0x81, 202], [0x80, 203], [0xa1, 201]);
    fc.assert(
      fc.property(start, fc.nat(12), fc.uint8Array({ maxLength: 60 }), (head, words, rest) => {
        const parsed = parseRtcp(Uint8Array.of(...head, 0, words, ...rest));
        if (parsed !== null) expect(parsed.reports.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 200 },
    );
  });

  it('does not throw when any byte is changed', () => {
    const bytes = writeRtcp({ ...packet, goodbye: true });
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const changed = bytes.slice();
        changed[at] = value;
        expect(() => parseRtcp(changed.subarray(0, changed.length - (at % 5)))).not.toThrow();
      }
    }
  });
});
