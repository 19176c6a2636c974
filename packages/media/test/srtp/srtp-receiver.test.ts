import { describe, expect, it } from 'vitest';
import { writeRtp } from '../../src/packet/rtp-packet.ts';
import { SrtpReceiver } from '../../src/srtp/srtp-receiver.ts';
import { SrtpSender } from '../../src/srtp/srtp-sender.ts';
import { offeredSuites, type SrtpSuiteName, srtpSuites } from '../../src/srtp/suites.ts';

const masterOf = (suite: SrtpSuiteName): Uint8Array => {
  const { keyBytes, saltBytes } = srtpSuites[suite];
  return Uint8Array.from({ length: keyBytes + saltBytes }, (_, i) => (i * 11 + 3) & 0xff);
};

/** A sender of any sources, and the receiver of its packets. */
function setUp(suite: SrtpSuiteName) {
  const master = masterOf(suite);
  const sender = new SrtpSender(suite, master);
  const receiver = new SrtpReceiver(suite, master, 0);
  /** Returns the encrypted packet with a number of a source. */
  const sealed = (sequence: number, ssrc = 1, from = sender): Uint8Array => {
    const payload = new Uint8Array(20).fill(sequence & 0xff);
    const packet = { marker: false, payloadType: 0, timestamp: 0, sequence: sequence & 0xffff, ssrc, payload };
    const bytes = writeRtp(packet, from.rtpOverheadBytes);
    from.protectRtp(bytes, bytes.length - from.rtpOverheadBytes);
    return bytes;
  };
  const isAccepted = (bytes: Uint8Array): boolean => receiver.unprotectRtp(bytes.slice()) !== -1;
  return { master, sender, receiver, sealed, isAccepted };
}

describe.each(offeredSuites)('SrtpReceiver with %s', (suite) => {
  it('accepts sequence numbers before the first one that it has received', () => {
    const { sealed, isAccepted } = setUp(suite);
    const [early, first] = [sealed(9), sealed(10)];
    expect([isAccepted(first), isAccepted(early)]).toEqual([true, true]);
  });

  it('refuses sequence numbers that would precede the first round of 2¹⁶ packets', () => {
    const { master, sealed, isAccepted } = setUp(suite);
    const other = new SrtpSender(suite, master);
    expect(isAccepted(sealed(5))).toBe(true);
    // More than half of all numbers ahead, so that it would belong to the round before the first.
    expect(isAccepted(sealed(0xfff0, 1, other))).toBe(false);
    expect(isAccepted(sealed(6))).toBe(true);
  });

  it('refuses a packet whose sequence number was changed, and accepts packets after a roll-over', () => {
    const { sealed, isAccepted } = setUp(suite);
    expect(isAccepted(sealed(0xfffe))).toBe(true);
    const forged = sealed(0xffff).slice();
    // Changes the sequence number from 0xffff to 5, which would belong to the next round.
    forged[3] = 5;
    forged[2] = 0;
    expect(isAccepted(forged)).toBe(false);
    const { sealed: fresh, isAccepted: accepts } = setUp(suite);
    for (const sequence of [0xfffe, 0xffff, 0x10000, 0x10001]) expect(accepts(fresh(sequence))).toBe(true);
  });

  it('remembers sixteen sources, and forgets the one that has not sent for the longest time', () => {
    const { master, isAccepted, sealed } = setUp(suite);
    const packets = Array.from({ length: 16 }, (_, ssrc) => sealed(100, ssrc, new SrtpSender(suite, master)));
    for (const packet of packets) expect(isAccepted(packet)).toBe(true);
    for (const packet of packets) expect(isAccepted(packet)).toBe(false);
    // Source 0 sends again, so that source 1 has been silent for the longest time.
    expect(isAccepted(sealed(101, 0, new SrtpSender(suite, master)))).toBe(true);
    expect(isAccepted(sealed(100, 99, new SrtpSender(suite, master)))).toBe(true);
    const [zero, one] = packets;
    if (zero === undefined || one === undefined) throw new Error('There are no packets.');
    expect([isAccepted(zero), isAccepted(one)]).toEqual([false, true]);
  });

  it('does not let packets of another key take the place of a source', () => {
    const { sealed, isAccepted } = setUp(suite);
    const mine = sealed(100);
    expect(isAccepted(mine)).toBe(true);
    const stranger = new SrtpSender(
      suite,
      masterOf(suite).map((byte) => byte ^ 0xff),
    );
    for (let ssrc = 2; ssrc < 40; ssrc += 1) expect(isAccepted(sealed(100, ssrc, stranger))).toBe(false);
    expect(isAccepted(mine)).toBe(false);
  });

  it.each([0, 1, 7, 8, 11, 12, 20])('refuses RTCP of %i bytes', (length) => {
    const { receiver } = setUp(suite);
    expect(receiver.unprotectRtcp(new Uint8Array(length).fill(0xff))).toBe(-1);
  });

  it('refuses RTCP that was changed on its way to be marked as plain', () => {
    const { sender, receiver } = setUp(suite);
    const report = Uint8Array.of(0x80, 201, 0, 1, 0, 0, 0, 9);
    const bytes = sender.protectRtcp(report);
    expect(receiver.unprotectRtcp(bytes.slice())).toBe(report.length);
    const next = sender.protectRtcp(report);
    const flagAt = next.length - (suite.startsWith('AEAD') ? 4 : 4 + srtpSuites[suite].rtcpTagBytes);
    next[flagAt] = (next[flagAt] ?? 0) & 0x7f;
    expect(receiver.unprotectRtcp(next)).toBe(-1);
  });

  it('keeps its counters when the length of the key identifier changes', () => {
    const { receiver, sealed, isAccepted } = setUp(suite);
    const first = sealed(1);
    expect(isAccepted(first)).toBe(true);
    receiver.mkiBytes = 4;
    expect(isAccepted(sealed(2))).toBe(false);
    receiver.mkiBytes = 0;
    expect([isAccepted(first), isAccepted(sealed(3))]).toEqual([false, true]);
  });
});
