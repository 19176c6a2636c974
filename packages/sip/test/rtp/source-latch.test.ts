import type { RemoteInfo } from 'node:dgram';
import { describe, expect, it } from 'vitest';
import type { RtpPacket } from '../../src/rtp/packet.ts';
import { SourceLatch } from '../../src/rtp/source-latch.ts';

function from(address: string, port: number): RemoteInfo {
  return { address, port, family: 'IPv4', size: 0 };
}

function packet(sequence: number, ssrc = 1): RtpPacket {
  return { marker: false, payloadType: 0, sequence, timestamp: 0, ssrc, payload: new Uint8Array(0) };
}

const phone = { address: '192.0.2.1', port: 4_000 };

describe('the source of the media', () => {
  it('is where the SDP says, until packets come', () => {
    expect(new SourceLatch(phone).remote).toEqual(phone);
  });

  it('is taken at once from the address of the SDP, also with another port, and then for good', () => {
    const latch = new SourceLatch(phone);
    expect(latch.accepts(packet(1), from('192.0.2.1', 4_444))).toBe(true);
    expect(latch.remote).toEqual({ address: '192.0.2.1', port: 4_444 });
    expect(latch.accepts(packet(2), from('192.0.2.1', 4_000))).toBe(false);
    expect(latch.accepts(packet(2), from('198.51.100.9', 4_444))).toBe(false);
    expect(latch.knows(from('192.0.2.1', 4_444))).toBe(true);
  });

  it('is taken from behind a NAT after three packets in sequence', () => {
    const latch = new SourceLatch(phone);
    const nat = from('198.51.100.9', 9_000);
    expect([1, 2, 3, 4].map((sequence) => latch.accepts(packet(sequence), nat))).toEqual([false, false, true, true]);
    expect(latch.remote).toEqual({ address: '198.51.100.9', port: 9_000 });
  });

  it('is not taken from strangers whose packets do not follow each other', () => {
    const latch = new SourceLatch(phone);
    const stranger = from('198.51.100.9', 9_000);
    expect([1, 5, 9, 13].some((sequence) => latch.accepts(packet(sequence), stranger))).toBe(false);
    expect(latch.accepts(packet(1), from('192.0.2.1', 4_000))).toBe(true);
  });

  it('is looked for anew when the peer names another address, and only then', () => {
    const latch = new SourceLatch(phone);
    latch.accepts(packet(1), from('192.0.2.1', 4_444));
    latch.expect({ ...phone });
    expect(latch.remote.port).toBe(4_444);
    latch.expect({ address: '192.0.2.2', port: 5_000 });
    expect(latch.remote).toEqual({ address: '192.0.2.2', port: 5_000 });
    expect(latch.accepts(packet(9), from('192.0.2.2', 5_000))).toBe(true);
  });
});
