import type { Clock } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { Pacer } from '../../src/sip-caller/pacer.ts';
import { VirtualClock } from '../../src/virtual-clock.ts';

describe('Pacer', () => {
  it('does not drift, however late each timer fires', async () => {
    const clock = new VirtualClock();
    const lateness = [0, 7, 3, 12, 1];
    let timers = 0;
    const late: Clock = {
      nowMs: () => clock.nowMs(),
      wallMs: () => clock.wallMs(),
      setTimer: (delayMs, run) => clock.setTimer(delayMs + (lateness[timers++ % lateness.length] ?? 0), run),
    };
    const ticks: number[] = [];
    const pacer = new Pacer(late, (nowMs) => ticks.push(nowMs));
    pacer.start();
    await clock.advance(10_000);
    pacer.stop();
    expect(ticks.length).toBeGreaterThanOrEqual(500);
    expect(ticks.every((atMs, i) => atMs >= i * 20 && atMs <= i * 20 + 12)).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('skips ticks after a long stall', async () => {
    const clock = new VirtualClock();
    let stallMs = 0;
    const stalling: Clock = {
      nowMs: () => clock.nowMs(),
      wallMs: () => clock.wallMs(),
      setTimer: (delayMs, run) => {
        const timer = clock.setTimer(delayMs + stallMs, run);
        stallMs = 0;
        return timer;
      },
    };
    const ticks: number[] = [];
    const pacer = new Pacer(stalling, (nowMs) => {
      ticks.push(nowMs);
      if (ticks.length === 2) stallMs = 1_000;
    });
    pacer.start();
    await clock.advance(1_200);
    pacer.stop();
    expect(ticks.filter((atMs) => atMs > 900 && atMs <= 1_100)).toHaveLength(3);
  });
});
