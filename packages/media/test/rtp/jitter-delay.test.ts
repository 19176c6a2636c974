import { describe, expect, it } from 'vitest';
import { jitterDelayMs } from '../../src/rtp/jitter-delay.ts';
import { Reception } from '../../src/rtp/reception.ts';

/** Statistics after `packets` packets, every second of which is late by twice `jitterMs`. */
function reception(packets: number, jitterMs: number): Reception {
  const counted = new Reception();
  for (let i = 0; i < packets; i++) {
    const packet = {
      marker: false,
      payloadType: 0,
      sequence: i,
      timestamp: i * 160,
      ssrc: 1,
      payload: new Uint8Array(),
    };
    counted.count(packet, 8_000, i * 20 + (i % 2) * jitterMs);
  }
  return counted;
}

describe('jitterDelayMs', () => {
  it.each([
    ['the default before 50 packets, whatever their jitter', 49, 500, 60],
    ['the minimum without jitter', 50, 0, 40],
    ['four times the jitter above the base', 400, 10, 60],
    ['the maximum for a high jitter', 400, 200, 120],
  ])('returns %s', (_, packets, jitterMs, delayMs) => {
    expect(jitterDelayMs(reception(packets, jitterMs))).toBeCloseTo(delayMs, 0);
  });
});
