import type { RemoteInfo } from 'node:dgram';
import { type Endpoint, type RtpPacket, SourceLatch } from '@va/media';
import { describe, expect, it } from 'vitest';
import { checkMediaAddress, type MediaTrustOptions } from '../../src/media/media-address.ts';

const phone = { address: '8.8.8.1', port: 4_000 };
const hidden = { address: '192.168.1.5', port: 4_000 };
const nat = { address: '9.9.9.9', port: 9_000 };
const stranger = { address: '8.8.4.66', port: 6_000 };

function packet(sequence: number, ssrc: number): RtpPacket {
  return { marker: false, payloadType: 0, sequence, timestamp: sequence * 160, ssrc, payload: new Uint8Array(0) };
}

/** A latch with its own clock, to which sources send one packet every 20 ms. */
class Line {
  readonly latch: SourceLatch;
  nowMs = 0;

  constructor(named: Endpoint, options: MediaTrustOptions = {}, isAuthenticated = false) {
    const trust = checkMediaAddress(named, options);
    if (typeof trust === 'string') throw new Error(trust);
    this.latch = new SourceLatch(named, 0, trust, isAuthenticated);
  }

  /** Number of accepted packets. */
  hear(source: Endpoint, count: number, { ssrc = 1, from = 1 } = {}): number {
    let accepted = 0;
    for (let i = 0; i < count; i++) {
      this.nowMs += 20;
      if (this.take(source, from + i, ssrc)) accepted += 1;
    }
    return accepted;
  }

  take(source: Endpoint, sequence: number, ssrc = 1): boolean {
    const from: RemoteInfo = { ...source, family: 'IPv4', size: 0 };
    return this.latch.accepts(packet(sequence, ssrc), from, this.nowMs);
  }
}

describe('SourceLatch', () => {
  it('accepts the address and port of the SDP at once', () => {
    const line = new Line(phone);
    expect(line.latch.remote).toEqual(phone);
    expect(line.hear(phone, 5)).toBe(5);
    expect(line.latch.remote).toEqual(phone);
  });

  it('accepts another port of the SDP address that sends instead', () => {
    const line = new Line(phone);
    const other = { ...phone, port: 4_444 };
    expect(line.hear(other, 24)).toBe(0);
    expect(line.hear(other, 10, { from: 25 })).toBe(10);
    expect(line.latch.remote).toEqual(other);
  });

  it('accepts the SDP address and port although a neighbour of the same address was heard first', () => {
    const line = new Line(phone);
    line.hear({ ...phone, port: 4_444 }, 100, { ssrc: 2 });
    expect(line.hear(phone, 3)).toBe(3);
    expect(line.hear({ ...phone, port: 4_444 }, 3, { ssrc: 2, from: 101 })).toBe(0);
    expect(line.latch.remote).toEqual(phone);
  });

  it('latches to an address behind a NAT after three consecutive packets', () => {
    const line = new Line(hidden, { signalling: nat.address });
    expect(line.latch.maySend()).toBe(false);
    expect(line.hear(nat, 4)).toBe(2);
    expect(line.latch.remote).toEqual(nat);
    expect(line.latch.maySend()).toBe(true);
  });

  it('latches to an address behind a NAT that signals through a proxy', () => {
    const line = new Line(hidden, { signalling: '8.8.8.200' });
    expect(line.hear(nat, 4)).toBe(2);
  });

  it('rejects a third party when the SDP names a public address', () => {
    const line = new Line(phone, { signalling: nat.address });
    expect(line.hear(stranger, 1_000)).toBe(0);
    expect(line.latch.remote).toEqual(phone);
  });

  it('returns from a third party to the signalling address, and to the SDP address', () => {
    const line = new Line(hidden, { signalling: nat.address });
    expect(line.hear(stranger, 10, { ssrc: 7 })).toBe(8);
    line.hear(nat, 3);
    expect(line.latch.remote).toEqual(nat);
    expect(line.hear(stranger, 10, { ssrc: 7, from: 11 })).toBe(0);
    line.hear(hidden, 1);
    expect(line.latch.remote).toEqual(hidden);
  });

  it('rejects a third party whose packets are not consecutive', () => {
    const line = new Line(hidden, { signalling: nat.address });
    expect([1, 5, 9, 13].some((sequence) => line.take(stranger, sequence))).toBe(false);
  });

  it('does not switch to third parties and neighbours while the source sends', () => {
    const line = new Line(hidden, { signalling: nat.address });
    line.hear(nat, 10);
    for (let i = 0; i < 500; i++) {
      expect(line.take({ ...nat, port: 9_999 }, i, 2)).toBe(false);
      expect(line.take(stranger, i, 3)).toBe(false);
      line.hear(nat, 1, { from: 11 + i });
    }
    expect(line.latch.remote).toEqual(nat);
  });

  it('does not switch to a third party while the source is silent', () => {
    const line = new Line(phone, { signalling: phone.address });
    line.hear(phone, 10);
    line.nowMs += 20_000;
    expect(line.hear(stranger, 50, { ssrc: 9 })).toBe(0);
  });

  it('follows a stream that a NAT moves once the old address is silent', () => {
    const line = new Line(hidden, { signalling: nat.address });
    line.hear(nat, 100);
    const moved = { address: '9.9.9.77', port: 1_234 };
    // The 25th packet arrives 500 ms after the last one of the old address; it and the next two are the proof.
    expect(line.hear(moved, 50, { from: 101 })).toBe(24);
    expect(line.latch.remote).toEqual(moved);
  });

  it('does not follow a third party that knows only the SSRC of the stream, or only its position', () => {
    const line = new Line(phone);
    line.hear(phone, 100, { ssrc: 5 });
    expect(line.hear(stranger, 200, { ssrc: 6, from: 101 })).toBe(0);
    expect(line.hear(stranger, 200, { ssrc: 5, from: 40_000 })).toBe(0);
  });

  it('accepts another stream of the same address after five seconds of silence', () => {
    const line = new Line(hidden, { signalling: nat.address });
    line.hear(nat, 10);
    const restarted = { ...nat, port: 9_002 };
    expect(line.hear(restarted, 249, { ssrc: 2 })).toBe(0);
    expect(line.hear(restarted, 10, { ssrc: 2, from: 250 })).toBe(10);
  });

  it('latches to a source despite interleaved packets of less trusted ones', () => {
    const line = new Line(hidden, { signalling: nat.address });
    let accepted = 0;
    for (let i = 0; i < 10; i++) {
      line.take({ ...stranger, port: 1_000 + i }, i * 7, i);
      accepted += line.hear(nat, 1, { from: i });
    }
    expect(accepted).toBe(8);
  });
});

describe('SourceLatch after another SDP', () => {
  const moved = { address: '8.8.8.1', port: 5_000 };

  it('accepts the new port although the old one keeps sending', () => {
    const line = new Line(phone);
    line.hear(phone, 50);
    line.latch.expect(moved, line.nowMs);
    expect(line.hear(phone, 100, { from: 51 })).toBe(0);
    expect(line.latch.remote).toEqual(moved);
    expect(line.hear(moved, 5, { ssrc: 2 })).toBe(5);
  });

  it('keeps its source when the SDP names the same address', () => {
    const line = new Line(hidden, { signalling: nat.address });
    line.hear(nat, 5);
    line.latch.expect({ ...hidden }, line.nowMs);
    expect(line.latch.remote).toEqual(nat);
    expect(line.hear(nat, 1, { from: 6 })).toBe(1);
  });

  it('may return to the first source when the SDP names it again', () => {
    const line = new Line(hidden, { signalling: nat.address });
    line.hear(nat, 5);
    line.latch.expect(moved, line.nowMs);
    line.hear(moved, 5, { ssrc: 2 });
    line.latch.expect(hidden, line.nowMs);
    expect(line.hear(nat, 5, { from: 6 })).toBe(3);
  });

  it('rejects a source that sent before it could know the local port', () => {
    const line = new Line(phone);
    const zombie = { ...phone, port: 4_444 };
    line.latch.refuse(zombie);
    expect(line.hear(zombie, 500)).toBe(0);
  });
});

describe('SourceLatch in strict mode', () => {
  it('accepts only the address and port of the SDP', () => {
    const line = new Line(hidden, { signalling: nat.address, mode: 'strict' });
    expect(line.hear(nat, 100)).toBe(0);
    expect(line.hear({ ...hidden, port: 1 }, 1_000)).toBe(0);
    expect(line.hear(hidden, 3)).toBe(3);
    line.nowMs += 10_000;
    expect(line.hear(nat, 100, { from: 4 })).toBe(0);
  });
});

describe('SourceLatch with encrypted media', () => {
  it('latches to the source that has the key, after three packets', () => {
    const line = new Line(phone, { signalling: phone.address }, true);
    line.nowMs += 500;
    expect(line.hear(stranger, 4)).toBe(2);
  });
});

describe('audio for an address that has sent nothing', () => {
  const third = { address: '8.8.4.5', port: 7_000 };

  function sent(line: Line, frames: number): number {
    let count = 0;
    for (let i = 0; i < frames; i++) if (line.latch.maySend()) count += 1;
    return count;
  }

  it('is limited to two seconds, then a packet a second, when the signalling comes from elsewhere', () => {
    const line = new Line(third, { signalling: nat.address });
    expect(sent(line, 1_500)).toBe(100 + 28);
  });

  it('is unlimited once that address has sent RTP or RTCP', () => {
    const line = new Line(third, { signalling: nat.address });
    sent(line, 300);
    line.latch.heardRtcp(third.address);
    expect(sent(line, 300)).toBe(300);
    const other = new Line(third, { signalling: nat.address });
    sent(other, 300);
    other.hear(third, 1);
    expect(sent(other, 300)).toBe(300);
  });

  it('is limited again after a re-INVITE to another address', () => {
    const line = new Line(nat, { signalling: nat.address });
    line.hear(nat, 5);
    line.latch.trust({ mode: 'latch', signalling: nat.address, isNatPlausible: false, unheard: 'limited' }, false);
    line.latch.expect(third, line.nowMs);
    expect(sent(line, 1_500)).toBeLessThan(130);
  });

  it('is unlimited when the signalling comes from there', () => {
    expect(sent(new Line(nat, { signalling: nat.address }), 500)).toBe(500);
  });
});
