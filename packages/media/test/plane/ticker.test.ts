import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { Ticker } from '../../src/plane/ticker.ts';
import { lateClock } from '../support/late-clock.ts';

describe('Ticker', () => {
  it('ticks every 20 ms, without drift', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const stop = new Ticker(clock).add((nowMs) => times.push(nowMs));
    await clock.advance(60_000);
    stop();
    expect(times).toHaveLength(3_000);
    expect(new Set(times.slice(1).map((at, i) => at - (times[i] ?? 0)))).toEqual(new Set([20]));
  });

  it('distributes calls over the 20 ms', async () => {
    const clock = new VirtualClock();
    const ticker = new Ticker(clock);
    const firsts: number[] = [];
    for (let i = 0; i < 8; i++) {
      let first = true;
      ticker.add((nowMs) => {
        if (first) firsts.push(nowMs);
        first = false;
      });
    }
    await clock.advance(40);
    expect(firsts.sort((a, b) => a - b)).toEqual([5, 5, 10, 10, 15, 15, 20, 20]);
  });

  it('catches up on ticks missed by a blocked event loop, up to 200 ms', () => {
    const late = lateClock();
    let ticks = 0;
    new Ticker(late.clock).add(() => {
      ticks += 1;
    });
    late.wakeAt(100);
    expect(ticks).toBe(5);
    late.wakeAt(5_100);
    expect(ticks).toBe(15);
    late.wakeAt(5_120);
    expect(ticks).toBe(16);
  });

  it('has no timer without listeners', async () => {
    const clock = new VirtualClock();
    const ticker = new Ticker(clock);
    expect(clock.pending).toBe(0);
    const stop = ticker.add(() => {});
    expect(clock.pending).toBe(1);
    stop();
    expect(clock.pending).toBe(0);
  });

  it('wakes once per phase that has calls', async () => {
    const clock = new VirtualClock();
    let timers = 0;
    const setTimer = clock.setTimer.bind(clock);
    clock.setTimer = (delayMs, run) => {
      timers += 1;
      return setTimer(delayMs, run);
    };
    const ticker = new Ticker(clock);
    ticker.add(() => {});
    await clock.advance(1_000);
    expect(timers).toBe(51);
    ticker.add(() => {});
    timers = 0;
    await clock.advance(1_000);
    expect(timers).toBe(100);
  });

  it('ticks a call that is added while the event loop is late only from then on', () => {
    const late = lateClock();
    const ticker = new Ticker(late.clock);
    ticker.add(() => {});
    late.wakeAt(40);
    const times: number[] = [];
    late.passTo(53);
    ticker.add((nowMs) => times.push(nowMs));
    late.wakeAt(60);
    expect(times).toEqual([]);
    late.wakeAt(65);
    expect(times).toEqual([65]);
  });

  it('keeps ticking on time while reading input delays its timer', () => {
    const late = lateClock();
    const ticker = new Ticker(late.clock);
    const times: number[] = [];
    ticker.add((nowMs) => times.push(nowMs));
    for (let atMs = 0; atMs <= 48; atMs += 3) {
      late.passTo(atMs);
      ticker.runDueTicks();
    }
    expect(times).toEqual([21, 42]);
    late.wakeAt(64);
    late.passTo(70);
    ticker.runDueTicks();
    expect(times).toEqual([21, 42, 64]);
  });

  it('does not tick after the last listener was removed', () => {
    const late = lateClock();
    const ticker = new Ticker(late.clock);
    let ticks = 0;
    const stop = ticker.add(() => {
      ticks += 1;
    });
    stop();
    late.passTo(100);
    ticker.runDueTicks();
    expect(ticks).toBe(0);
  });

  it('lets a listener remove itself during a tick', async () => {
    const clock = new VirtualClock();
    let ticks = 0;
    const stop = new Ticker(clock).add(() => {
      ticks += 1;
      stop();
    });
    await clock.advance(100);
    expect(ticks).toBe(1);
    expect(clock.pending).toBe(0);
  });
});
