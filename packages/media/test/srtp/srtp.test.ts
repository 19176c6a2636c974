import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { writeRtp } from '../../src/packet/rtp-packet.ts';
import { HmacSha1 } from '../../src/srtp/hmac-sha1.ts';
import { ReplayWindow } from '../../src/srtp/replay-window.ts';
import { SrtpReceiver } from '../../src/srtp/srtp-receiver.ts';
import { SrtpSender } from '../../src/srtp/srtp-sender.ts';
import { offeredSuites, type SrtpSuiteName, srtpSuites } from '../../src/srtp/suites.ts';

function masterOf(suite: SrtpSuiteName): Uint8Array {
  const { keyBytes, saltBytes } = srtpSuites[suite];
  return Uint8Array.from({ length: keyBytes + saltBytes }, (_, i) => (i * 37 + 5) & 0xff);
}

function plain(sequence: number, length = 160, ssrc = 9): Uint8Array {
  const payload = Uint8Array.from({ length }, (_, i) => (i + sequence) & 0xff);
  return writeRtp({ marker: false, payloadType: 8, sequence: sequence & 0xffff, timestamp: 1, ssrc, payload });
}

function sealed(sender: SrtpSender, packet: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(packet.length + sender.rtpOverheadBytes);
  bytes.set(packet);
  expect(sender.protectRtp(bytes, packet.length)).toBe(bytes.length);
  return bytes;
}

function opened(receiver: SrtpReceiver, bytes: Uint8Array): Uint8Array | null {
  const copy = bytes.slice();
  const length = receiver.unprotectRtp(copy);
  return length === -1 ? null : copy.subarray(0, length);
}

const sr = Uint8Array.of(0x80, 200, 0, 6, 0, 0, 0, 9, ...Array.from({ length: 20 }, (_, i) => i));

describe.each(offeredSuites)('SRTP with %s', (suite) => {
  const pair = (mkiBytes = 0) => ({
    sender: new SrtpSender(suite, masterOf(suite)),
    receiver: new SrtpReceiver(suite, masterOf(suite), mkiBytes),
  });

  it.each([0, 1, 15, 16, 17, 160, 500])('encrypts and decrypts %i bytes', (length) => {
    const { sender, receiver } = pair();
    const packet = plain(7, length);
    const bytes = sealed(sender, packet);
    expect(bytes.subarray(0, 12)).toEqual(packet.subarray(0, 12));
    if (length >= 15) expect(bytes.subarray(12, 12 + length)).not.toEqual(packet.subarray(12));
    expect(opened(receiver, bytes)).toEqual(packet);
  });

  it('continues over a sequence rollover, also out of order', () => {
    const { sender, receiver } = pair();
    const packets = Array.from({ length: 200 }, (_, i) => plain(65_436 + i));
    const bytes = packets.map((packet) => sealed(sender, packet));
    for (let i = 0; i + 3 < bytes.length; i += 4) {
      for (const at of [i + 2, i, i + 3, i + 1]) {
        expect(opened(receiver, bytes[at] ?? new Uint8Array(0))).toEqual(packets[at]);
      }
    }
  });

  it('accepts each packet once, and none older than the last 64', () => {
    const { sender, receiver } = pair();
    const bytes = Array.from({ length: 70 }, (_, i) => sealed(sender, plain(i + 1)));
    const [old, edge] = [bytes[4] as Uint8Array, bytes[6] as Uint8Array];
    for (const each of bytes) if (each !== old && each !== edge) expect(opened(receiver, each)).not.toBeNull();
    expect(bytes.map((each) => opened(receiver, each) !== null).flatMap((taken, i) => (taken ? [i] : []))).toEqual([6]);
  });

  it('refuses a packet that was tampered with, and accepts the original afterwards', () => {
    const { sender, receiver } = pair();
    const first = sealed(sender, plain(65_000));
    expect(opened(receiver, first)).not.toBeNull();
    const bytes = sealed(sender, plain(65_001));
    for (const at of [1, 2, 5, 9, 20, bytes.length - 1]) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(opened(receiver, changed)).toBeNull();
    }
    expect(opened(receiver, bytes.subarray(0, bytes.length - 1))).toBeNull();
    expect(opened(receiver, bytes)).toEqual(plain(65_001));
  });

  it('refuses a wrong key and malformed packets', () => {
    const { sender } = pair();
    const other = masterOf(suite).fill(3);
    expect(opened(new SrtpReceiver(suite, other, 0), sealed(sender, plain(1)))).toBeNull();
    for (const length of [0, 1, 8, 11, 12, 15, 20, 27]) {
      const bytes = new Uint8Array(length).fill(0x80);
      expect(opened(pair().receiver, bytes)).toBeNull();
      expect(pair().receiver.unprotectRtcp(bytes)).toBe(-1);
    }
  });

  it('accepts a second source with its own sequence numbers', () => {
    const { sender, receiver } = pair();
    expect(opened(receiver, sealed(sender, plain(65_535)))).not.toBeNull();
    expect(opened(receiver, sealed(sender, plain(0)))).not.toBeNull();
    const another = new SrtpSender(suite, masterOf(suite));
    expect(opened(receiver, sealed(another, plain(5, 160, 77)))).toEqual(plain(5, 160, 77));
  });

  it('keeps the rollover of the source in use when a peer sends from many others', () => {
    const { sender, receiver } = pair();
    for (const sequence of [65_535, 65_536]) expect(opened(receiver, sealed(sender, plain(sequence)))).not.toBeNull();
    for (let ssrc = 100; ssrc < 140; ssrc++) {
      const other = new SrtpSender(suite, masterOf(suite));
      expect(opened(receiver, sealed(other, plain(1, 160, ssrc)))).not.toBeNull();
      expect(opened(receiver, sealed(sender, plain(65_437 + ssrc)))).not.toBeNull();
    }
  });

  it('refuses every cut-off of a packet without a change of its state', () => {
    const { sender, receiver } = pair();
    const bytes = sealed(sender, plain(7, 20));
    for (let length = 0; length < bytes.length; length++) {
      expect(opened(receiver, bytes.subarray(0, length))).toBeNull();
      expect(receiver.unprotectRtcp(bytes.slice(0, length))).toBe(-1);
    }
    expect(opened(receiver, bytes)).not.toBeNull();
  });

  it('encrypts RTCP and accepts each packet once', () => {
    const { sender, receiver } = pair();
    for (let i = 0; i < 3; i++) {
      const bytes = sender.protectRtcp(sr);
      expect(bytes.subarray(0, 8)).toEqual(sr.subarray(0, 8));
      expect(bytes.subarray(8, sr.length)).not.toEqual(sr.subarray(8));
      const copy = bytes.slice();
      expect(copy.subarray(0, receiver.unprotectRtcp(copy))).toEqual(sr);
      expect(receiver.unprotectRtcp(bytes.slice())).toBe(-1);
    }
    const changed = sender.protectRtcp(sr);
    changed[10] = (changed[10] ?? 0) ^ 1;
    expect(receiver.unprotectRtcp(changed)).toBe(-1);
    expect(receiver.unprotectRtcp(new Uint8Array(60))).toBe(-1);
  });

  it('accepts packets with a master key identifier', () => {
    const { sender, receiver } = pair(4);
    const { aead, rtpTagBytes } = srtpSuites[suite];
    const bytes = sealed(sender, plain(3));
    const at = aead ? bytes.length : bytes.length - rtpTagBytes;
    const named = Uint8Array.of(...bytes.subarray(0, at), 0, 0, 0, 1, ...bytes.subarray(at));
    expect(opened(receiver, named)).toEqual(plain(3));
  });
});

describe('the optimized implementation', () => {
  it('of HMAC-SHA1 matches node:crypto at every length', () => {
    const key = randomBytes(20);
    const hmac = new HmacSha1(key);
    const bytes = randomBytes(300);
    for (let length = 0; length <= bytes.length; length++) {
      const plainly = createHmac('sha1', key).update(bytes.subarray(0, length)).digest();
      const suffixed = createHmac('sha1', key)
        .update(bytes.subarray(0, length))
        .update(Uint8Array.of(0xff, 0, 1, 2))
        .digest();
      expect(Buffer.from(hmac.digest(bytes, length, null))).toEqual(plainly);
      expect(Buffer.from(hmac.digest(bytes, length, 0xff000102))).toEqual(suffixed);
    }
  });

  it('of AES counter mode matches node:crypto', () => {
    const sender = new SrtpSender('AES_CM_128_HMAC_SHA1_80', Buffer.alloc(30));
    const bytes = sealed(sender, plain(500, 160, 0xfedcba98));
    const zero = Buffer.alloc(16);
    const keyed = (label: number, length: number): Buffer => {
      const iv = Buffer.alloc(16);
      iv[7] = label;
      return createCipheriv('aes-128-ctr', zero, iv).update(Buffer.alloc(length));
    };
    const iv = Buffer.concat([keyed(2, 14), Buffer.alloc(2)]);
    iv.writeUInt32BE((iv.readUInt32BE(4) ^ 0xfedcba98) >>> 0, 4);
    iv.writeUInt16BE(iv.readUInt16BE(12) ^ 500, 12);
    const expected = createCipheriv('aes-128-ctr', keyed(0, 16), iv).update(plain(500).subarray(12));
    expect(Buffer.from(bytes.subarray(12, 172))).toEqual(expected);
  });
});

describe('the replay window', () => {
  it('agrees with a set of received indexes in any order', () => {
    const window = new ReplayWindow();
    const seen = new Set<number>();
    let newest = -1;
    let state = 1;
    let index = 0;
    for (let i = 0; i < 20_000; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      index = Math.max(0, index + ((state >>> 16) % 90) - 40);
      const isNew = !seen.has(index) && newest - index < 64;
      expect(window.isNew(index)).toBe(isNew);
      if (!isNew) continue;
      window.accept(index);
      seen.add(index);
      newest = Math.max(newest, index);
    }
    expect(seen.size).toBeGreaterThan(1_000);
  });
});
