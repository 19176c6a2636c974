import { describe, expect, it } from 'vitest';
import type { RtpPacket } from '../../src/packet/rtp-packet.ts';
import { Reception } from '../../src/rtp/reception.ts';

function packet(sequence: number, parts: Partial<RtpPacket> = {}): RtpPacket {
  const timestamp = (sequence * 160) >>> 0;
  return {
    marker: false,
    payloadType: 0,
    sequence: sequence & 0xffff,
    timestamp,
    ssrc: 5,
    payload: new Uint8Array(0),
    ...parts,
  };
}

function received(sequences: readonly number[], reception = new Reception()): Reception {
  for (const sequence of sequences) reception.count(packet(sequence), 8_000, sequence * 20);
  return reception;
}

describe('what is received', () => {
  it('is counted, with what is missing, over the wrap of the numbers', () => {
    const reception = received([65_533, 65_534, 65_536, 65_537, 65_540]);
    expect([reception.packetsReceived, reception.packetsLost]).toEqual([5, 3]);
    expect(reception.report()).toMatchObject({ ssrc: 5, packetsLost: 3, fractionLost: 96 });
  });

  it('is not missed when it comes late, and is not counted below zero when it comes twice', () => {
    expect(received([1, 2, 4, 3, 5]).packetsLost).toBe(0);
    const doubled = received([1, 1, 2, 2]);
    expect(doubled.packetsLost).toBe(0);
    expect(doubled.report()).toMatchObject({ packetsLost: -2, fractionLost: 0 });
  });

  it('is reported since the last report as a fraction', () => {
    const reception = received([1, 2, 3, 4]);
    expect(reception.report()?.fractionLost).toBe(0);
    received([6, 8], reception);
    expect(reception.report()?.fractionLost).toBe(128);
    expect(reception.report()?.fractionLost).toBe(0);
  });

  it('goes on for the record when the source changes, and begins anew in reports', () => {
    const reception = received([1, 2, 5]);
    reception.count(packet(900, { ssrc: 6 }), 8_000, 0);
    expect([reception.packetsReceived, reception.packetsLost]).toEqual([4, 2]);
    expect(reception.report()).toMatchObject({ ssrc: 6, packetsLost: 0 });
    expect(new Reception().report()).toBeNull();
  });

  it('comes evenly: no jitter, whatever the clock rate', () => {
    const reception = received(Array.from({ length: 100 }, (_, i) => i));
    expect(reception.jitterMs).toBe(0);
    for (let i = 100; i < 200; i++) reception.count(packet(i, { timestamp: i * 960 }), 48_000, i * 20);
    expect(reception.jitterMs).toBe(0);
  });

  it('comes unevenly: a packet of two that is 10 ms late makes a jitter of 10 ms', () => {
    const reception = new Reception();
    for (let i = 0; i < 400; i++) reception.count(packet(i), 8_000, i * 20 + (i % 2) * 10);
    expect(reception.jitterMs).toBeCloseTo(10, 0);
    expect(reception.report()?.jitter).toBeCloseTo(80, -1);
  });

  it('has no jitter from events, from a wrap of the timestamp, or from a pause of the sender', () => {
    const reception = new Reception();
    const start = 2 ** 32 - 50 * 160;
    for (let i = 0; i < 100; i++) reception.count(packet(i, { timestamp: (start + i * 160) >>> 0 }), 8_000, i * 20);
    for (let i = 100; i < 120; i++) reception.count(packet(i, { timestamp: 7 }), null, i * 20);
    reception.count(packet(120, { timestamp: 999_999, marker: true }), 8_000, 9_000);
    expect(reception.jitterMs).toBeLessThan(0.1);
  });
});
