import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RtpPacket } from '../../src/packet/rtp-packet.ts';
import { JitterBuffer, sequenceDistance } from '../../src/rtp/jitter-buffer.ts';

let clock: VirtualClock;
let seen: (number | string)[];
let window: JitterBuffer;

beforeEach(() => {
  clock = new VirtualClock();
  seen = [];
  window = new JitterBuffer(clock, {
    onPacket: (packet) => seen.push(packet.sequence),
    onLost: (packets) => seen.push(`lost ${packets}`),
    onRestart: () => seen.push('restart'),
  });
});

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

  it('leaves no timer behind when it closes', () => {
    push(1, 3);
    window.close();
    expect(clock.pending).toBe(0);
  });

  it('measures sequence distances over the wrap', () => {
    expect([sequenceDistance(65_535, 0), sequenceDistance(0, 65_535), sequenceDistance(5, 5)]).toEqual([1, -1, 0]);
  });
});
