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
