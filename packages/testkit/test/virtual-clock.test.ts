import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../src/virtual-clock.ts';

describe('VirtualClock', () => {
  it('runs timers at their times, and those of one time in the order in which they were set', async () => {
    const clock = new VirtualClock();
    const ran: [string, number][] = [];
    for (const [name, delayMs] of [
      ['late', 30],
      ['first', 10],
      ['second', 10],
      ['at once', 0],
      ['negative', -5],
      ['not yet', 41],
    ] as const) {
      clock.setTimer(delayMs, () => ran.push([name, clock.nowMs()]));
    }
    await clock.advance(40);
    expect(ran).toEqual([
      ['at once', 0],
      ['negative', 0],
      ['first', 10],
      ['second', 10],
      ['late', 30],
    ]);
    expect(clock.nowMs()).toBe(40);
    expect(clock.pending).toBe(1);
  });

  it('runs timers that timers and promises set meanwhile', async () => {
    const clock = new VirtualClock();
    const ranAtMs: number[] = [];
    const again = (): void => {
      ranAtMs.push(clock.nowMs());
      void Promise.resolve().then(() => clock.setTimer(20, again));
    };
    clock.setTimer(20, again);
    await clock.advance(65);
    expect(ranAtMs).toEqual([20, 40, 60]);
  });

  it('does not run a cancelled timer', async () => {
    const clock = new VirtualClock();
    let ran = false;
    const timer = clock.setTimer(10, () => {
      ran = true;
    });
    timer.cancel();
    timer.cancel();
    await clock.advance(20);
    expect(ran).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('advances wall time from the given date', async () => {
    const clock = new VirtualClock(new Date('2026-03-01T12:00:00.000Z'));
    await clock.advance(1_500);
    expect(new Date(clock.wallMs()).toISOString()).toBe('2026-03-01T12:00:01.500Z');
  });

  it('runs timers that were due while it was blocked late, at the time after the block', async () => {
    const clock = new VirtualClock();
    const ranAtMs: number[] = [];
    clock.setTimer(10, () => ranAtMs.push(clock.nowMs()));
    clock.block(100);
    expect(ranAtMs).toEqual([]);
    await clock.advance(0);
    expect(ranAtMs).toEqual([100]);
  });

  it('never goes back when a timer blocks it beyond the end of an advance', async () => {
    const clock = new VirtualClock();
    clock.setTimer(10, () => clock.block(100));
    await clock.advance(20);
    expect(clock.nowMs()).toBe(110);
  });
});
