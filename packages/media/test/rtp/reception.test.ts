import fc from 'fast-check';
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

describe('reception statistics', () => {
  it('count received and lost packets over a sequence wrap', () => {
    const reception = received([65_533, 65_534, 65_536, 65_537, 65_540]);
    expect([reception.packetsReceived, reception.packetsLost]).toEqual([5, 3]);
    expect(reception.report()).toMatchObject({ ssrc: 5, packetsLost: 3, fractionLost: 96 });
  });

  it('do not count late packets as lost, nor duplicates as negative losses', () => {
    expect(received([1, 2, 4, 3, 5]).packetsLost).toBe(0);
    const doubled = received([1, 1, 2, 2]);
    expect(doubled.packetsLost).toBe(0);
    expect(doubled.report()).toMatchObject({ packetsLost: -2, fractionLost: 0 });
  });

  it('report the fraction lost since the last report', () => {
    const reception = received([1, 2, 3, 4]);
    expect(reception.report()?.fractionLost).toBe(0);
    received([6, 8], reception);
    expect(reception.report()?.fractionLost).toBe(128);
    expect(reception.report()?.fractionLost).toBe(0);
  });

  it('keep their totals when the source changes, and restart the report', () => {
    const reception = received([1, 2, 5]);
    reception.count(packet(900, { ssrc: 6 }), 8_000, 0);
    expect([reception.packetsReceived, reception.packetsLost]).toEqual([4, 2]);
    expect(reception.report()).toMatchObject({ ssrc: 6, packetsLost: 0 });
    expect(new Reception().report()).toBeNull();
  });

  it('have no jitter for evenly spaced packets at any clock rate', () => {
    const reception = received(Array.from({ length: 100 }, (_, i) => i));
    expect(reception.jitterMs).toBe(0);
    for (let i = 100; i < 200; i++) reception.count(packet(i, { timestamp: i * 960 }), 48_000, i * 20);
    expect(reception.jitterMs).toBe(0);
  });

  it('have a jitter of 10 ms when every second packet is 10 ms late', () => {
    const reception = new Reception();
    for (let i = 0; i < 400; i++) reception.count(packet(i), 8_000, i * 20 + (i % 2) * 10);
    expect(reception.jitterMs).toBeCloseTo(10, 0);
    expect(reception.report()?.jitter).toBeCloseTo(80, -1);
  });

  it('extend the sequence number by the count of its wrap-arounds', () => {
    expect(received([7, 8]).report()?.highestSequence).toBe(8);
    expect(received([65_534, 65_535, 65_536, 65_537]).report()?.highestSequence).toBe(0x10001);
    expect(received([2, 1, 0, 3]).report()?.highestSequence).toBe(3);
  });

  it('count a packet before the first one without a wrap-around', () => {
    const reception = received([0]);
    reception.count(packet(65_535), 8_000, 0);
    expect(reception.report()).toMatchObject({ highestSequence: 0, packetsLost: -1, fractionLost: 0 });
    expect([reception.packetsReceived, reception.packetsLost]).toEqual([2, 0]);
  });

  it('have no jitter when the sender jumps to other timestamps without a marker', () => {
    const reception = received(Array.from({ length: 60 }, (_, i) => i));
    for (let i = 60; i < 120; i++) {
      reception.count(packet(i, { timestamp: 3_000_000_000 + i * 160 }), 8_000, i * 20);
    }
    expect(reception.jitterMs).toBe(0);
  });

  it('include a stall of the network in the jitter', () => {
    const reception = received(Array.from({ length: 60 }, (_, i) => i));
    reception.count(packet(60), 8_000, 60 * 20 + 1_600);
    expect(reception.jitterMs).toBe(100);
  });

  it('stay within their fields for any packets', () => {
    const packets = fc.array(
      fc.record({ sequence: fc.nat(0xffff), timestamp: fc.nat(0xffffffff), ssrc: fc.nat(2), marker: fc.boolean() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(packets, (sent) => {
        const reception = new Reception();
        for (const [i, each] of sent.entries()) reception.count(packet(0, each), 8_000, i * 20);
        const report = reception.report();
        expect(reception.packetsReceived).toBe(sent.length);
        expect(reception.packetsLost).toBeGreaterThanOrEqual(0);
        if (report === null) return;
        expect(report.fractionLost).toBeGreaterThanOrEqual(0);
        expect(report.fractionLost).toBeLessThanOrEqual(255);
        expect(report.jitter).toBeLessThan(2 ** 32);
        expect(report.highestSequence).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 50 },
    );
  });

  it('ignore events, timestamp wraps and pauses of the sender in the jitter', () => {
    const reception = new Reception();
    const start = 2 ** 32 - 50 * 160;
    for (let i = 0; i < 100; i++) reception.count(packet(i, { timestamp: (start + i * 160) >>> 0 }), 8_000, i * 20);
    for (let i = 100; i < 120; i++) reception.count(packet(i, { timestamp: 7 }), null, i * 20);
    reception.count(packet(120, { timestamp: 999_999, marker: true }), 8_000, 9_000);
    expect(reception.jitterMs).toBeLessThan(0.1);
  });
});
