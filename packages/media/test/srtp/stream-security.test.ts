import { beforeEach, describe, expect, it } from 'vitest';
import { writeRtp } from '../../src/packet/rtp-packet.ts';
import type { SrtpAgreement } from '../../src/srtp/srtp-agreement.ts';
import { SrtpSender } from '../../src/srtp/srtp-sender.ts';
import { StreamSecurity } from '../../src/srtp/stream-security.ts';
import { srtpSuites } from '../../src/srtp/suites.ts';

const suite = 'AES_CM_128_HMAC_SHA1_80';
const keyOf = (seed: number): Uint8Array => {
  const { keyBytes, saltBytes } = srtpSuites[suite];
  return Uint8Array.from({ length: keyBytes + saltBytes }, (_, i) => (i * seed + 7) & 0xff);
};
const [keyA, keyB, keyC] = [keyOf(11), keyOf(23), keyOf(41)];

function agreement(changes: Partial<SrtpAgreement> = {}): SrtpAgreement {
  return { tag: 1, suite, localKey: keyA, remoteKey: keyB, remoteMkiBytes: 0, ...changes };
}

function packetOf(sequence: number): Uint8Array {
  const payload = new Uint8Array(160).fill(0xd5);
  return writeRtp({ marker: false, payloadType: 8, sequence, timestamp: 160 * sequence, ssrc: 5, payload });
}

function protectedBy(security: StreamSecurity, packet: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(packet.length + security.roomBytes);
  bytes.set(packet);
  security.protectRtp(bytes);
  return bytes;
}

describe('StreamSecurity', () => {
  let near: StreamSecurity;
  let far: StreamSecurity;

  beforeEach(() => {
    near = new StreamSecurity();
    far = new StreamSecurity();
  });

  const agree = () => {
    near.apply(agreement());
    far.apply(agreement({ localKey: keyB, remoteKey: keyA }));
  };

  it('passes packets through without an agreement', () => {
    const packet = packetOf(1);
    expect(near.roomBytes).toBe(0);
    expect(protectedBy(near, packet)).toEqual(packet);
    expect(far.unprotectRtp(packet)).toBe(packet);
    expect(near.protectRtcp(packet)).toBe(packet);
    expect(far.unprotectRtcp(packet)).toBe(packet);
  });

  it('encrypts each direction with its key', () => {
    agree();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const bytes = protectedBy(from, packetOf(1));
      expect(bytes.subarray(12, 172)).not.toEqual(packetOf(1).subarray(12));
      expect(to.unprotectRtp(bytes)).toEqual(packetOf(1));
    }
  });

  it('refuses plain packets, and packets of another key', () => {
    agree();
    expect(far.unprotectRtp(packetOf(1))).toBeNull();
    const stranger = new StreamSecurity();
    stranger.apply(agreement({ localKey: keyC }));
    expect(far.unprotectRtp(protectedBy(stranger, packetOf(1)))).toBeNull();
  });

  it('encrypts RTCP, and refuses it when it is plain', () => {
    agree();
    const report = Uint8Array.of(0x80, 201, 0, 1, 0, 0, 0, 5);
    const sealed = near.protectRtcp(report);
    expect(sealed.length).toBeGreaterThan(report.length);
    expect(far.unprotectRtcp(report)).toBeNull();
    expect(far.unprotectRtcp(sealed.slice())).toEqual(report);
  });

  it('keeps the counters of a key that a new agreement repeats', () => {
    agree();
    // Passes the wrap of the sequence number, so that a receiver that began again would fail.
    for (const sequence of [65_534, 65_535, 0, 1]) far.unprotectRtp(protectedBy(near, packetOf(sequence)));
    near.apply(agreement({ tag: 2 }));
    far.apply(agreement({ tag: 2, localKey: keyC, remoteKey: keyA }));
    expect(far.unprotectRtp(protectedBy(near, packetOf(2)))).toEqual(packetOf(2));
  });

  it('starts over with a new key', () => {
    agree();
    for (const sequence of [65_535, 0]) far.unprotectRtp(protectedBy(near, packetOf(sequence)));
    near.apply(agreement({ localKey: keyC }));
    far.apply(agreement({ localKey: keyB, remoteKey: keyC }));
    expect(far.unprotectRtp(protectedBy(near, packetOf(1)))).toEqual(packetOf(1));
  });

  it('accepts a master key identifier that a new agreement adds to the same key, and its removal', () => {
    far.apply(agreement({ localKey: keyB, remoteKey: keyA }));
    const sender = new SrtpSender(suite, keyA);
    const sealed = (sequence: number, mki: readonly number[]): Uint8Array => {
      const bytes = new Uint8Array(172 + sender.rtpOverheadBytes);
      bytes.set(packetOf(sequence));
      sender.protectRtp(bytes, 172);
      // The identifier stands between the encrypted payload and the tag of 10 bytes (RFC 3711 §3.1).
      return Uint8Array.of(...bytes.subarray(0, 172), ...mki, ...bytes.subarray(172));
    };
    for (const sequence of [65_535, 0]) expect(far.unprotectRtp(sealed(sequence, []))).not.toBeNull();
    far.apply(agreement({ localKey: keyB, remoteKey: keyA, remoteMkiBytes: 2 }));
    expect(far.unprotectRtp(sealed(1, [0, 1]))).toEqual(packetOf(1));
    far.apply(agreement({ localKey: keyB, remoteKey: keyA }));
    expect(far.unprotectRtp(sealed(2, []))).toEqual(packetOf(2));
  });

  it('passes packets through again after an agreement without encryption', () => {
    agree();
    near.apply(null);
    far.apply(null);
    expect(far.unprotectRtp(protectedBy(near, packetOf(3)))).toEqual(packetOf(3));
  });
});
