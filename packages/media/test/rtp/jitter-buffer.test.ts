import { VirtualClock } from '@va/testkit';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RtpPacket } from '../../src/packet/rtp-packet.ts';
import { JitterBuffer, sequenceDistance } from '../../src/rtp/jitter-buffer.ts';

let clock: VirtualClock;
let seen: (number | string)[];
let window: JitterBuffer;

beforeEach(reset);

function reset(): void {
  clock = new VirtualClock();
  seen = [];
  window = new JitterBuffer(clock, {
    onPacket: (packet) => seen.push(packet.sequence),
    onLost: (packets) => seen.push(`lost ${packets}`),
    onRestart: () => seen.push('restart'),
  });
}

function push(...sequences: number[]): void {
  for (const sequence of sequences) window.push(packet(sequence));
}

function packet(sequence: number, ssrc = 1): RtpPacket {
  return { marker: false, payloadType: 0, sequence, timestamp: 0, ssrc, payload: new Uint8Array(0) };
}

describe('the jitter buffer', () => {
  it('passes on packets in order at once, also over a sequence wrap', () => {
    push(65_534, 65_535, 0, 1);
    expect(seen).toEqual(['restart', 65_534, 65_535, 0, 1]);
    expect(clock.pending).toBe(0);
  });

  it('reorders swapped packets and drops duplicates', () => {
    push(1, 3, 2, 2, 3, 4);
    expect(seen).toEqual(['restart', 1, 2, 3, 4]);
    expect(clock.pending).toBe(0);
  });

  it('waits for a missing packet until three later ones have arrived', () => {
    push(1, 3, 4);
    expect(seen).toEqual(['restart', 1]);
    push(5);
    expect(seen).toEqual(['restart', 1, 'lost 1', 3, 4, 5]);
  });

  it('waits at most 60 ms', async () => {
    push(1, 4);
    await clock.advance(59);
    expect(seen).toEqual(['restart', 1]);
    await clock.advance(1);
    expect(seen).toEqual(['restart', 1, 'lost 2', 4]);
    expect(clock.pending).toBe(0);
  });

  it('waits for the current delay of its callback', async () => {
    let delayMs = 120;
    window = new JitterBuffer(
      clock,
      { onPacket: (each) => seen.push(each.sequence), onLost: (lost) => seen.push(`lost ${lost}`), onRestart() {} },
      () => delayMs,
    );
    push(1, 3, 4, 5, 6, 7);
    await clock.advance(119);
    expect(seen).toEqual([1]);
    await clock.advance(1);
    delayMs = 40;
    push(9, 10);
    expect(seen).toEqual([1, 'lost 1', 3, 4, 5, 6, 7, 'lost 1', 9, 10]);
    push(9, 8, 2);
    expect(window.dropped).toBe(3);
  });

  it('drops a packet that was already reported as lost', async () => {
    push(1, 3);
    await clock.advance(60);
    push(2, 4);
    expect(seen).toEqual(['restart', 1, 'lost 1', 3, 4]);
  });

  it('reports two gaps one after the other', async () => {
    push(1, 3, 5);
    await clock.advance(60);
    expect(seen).toEqual(['restart', 1, 'lost 1', 3]);
    await clock.advance(60);
    expect(seen).toEqual(['restart', 1, 'lost 1', 3, 'lost 1', 5]);
  });

  it('restarts with a new source and drops the packets of the old one', async () => {
    push(1, 3);
    window.push(packet(500, 2));
    await clock.advance(100);
    expect(seen).toEqual(['restart', 1, 'restart', 500]);
  });

  it('restarts when sequence numbers jump far back, but not for one stray packet', () => {
    push(1_000, 500, 1_001);
    expect(seen).toEqual(['restart', 1_000, 1_001]);
    push(10, 11, 12);
    expect(seen).toEqual(['restart', 1_000, 1_001, 'restart', 11, 12]);
  });

  it('ignores a stray packet far ahead, and restarts when a second one follows it', async () => {
    push(1, 2, 20_000);
    await clock.advance(60);
    push(3, 4, 20_000, 20_001, 20_002);
    expect(seen).toEqual(['restart', 1, 2, 3, 4, 'restart', 20_001, 20_002]);
    expect(clock.pending).toBe(0);
  });

  it('reports the packets of an outage of up to a minute as lost', async () => {
    push(1, 3_001);
    await clock.advance(60);
    expect(seen).toEqual(['restart', 1, 'lost 2999', 3_001]);
  });

  it('accounts for every sequence number once, in order, for any packets', async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: -3, max: 4 }) },
      { weight: 1, arbitrary: fc.integer({ min: -40_000, max: 40_000 }) },
    );
    const arrivals = fc.array(fc.record({ step, waitMs: fc.constantFrom(0, 0, 0, 20, 70) }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.nat(0xffff), async (steps, start) => {
        reset();
        let at = start;
        for (const each of steps) {
          at = (at + each.step) & 0xffff;
          push(at);
          await clock.advance(each.waitMs);
        }
        await clock.advance(10_000);
        expect(clock.pending).toBe(0);
        let next: number | null = null;
        for (const each of seen) {
          if (each === 'restart') next = null;
          else if (typeof each === 'string') next = ((next ?? 0) + Number(each.slice('lost '.length))) & 0xffff;
          else {
            if (next !== null) expect(each).toBe(next);
            next = (each + 1) & 0xffff;
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('leaves no timer behind when it closes', () => {
    push(1, 3);
    window.close();
    expect(clock.pending).toBe(0);
  });

  it('measures sequence distances over the wrap', () => {
    expect([sequenceDistance(65_535, 0), sequenceDistance(0, 65_535), sequenceDistance(5, 5)]).toEqual([1, -1, 0]);
  });
});
