import { expect, it } from 'vitest';
import { LoopLag } from '../../src/calls/loop-lag.ts';
import { systemClock } from '../../src/clock/system-clock.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Time goes ten times as fast. */
const fast = { ...systemClock, nowMs: () => systemClock.nowMs() * 10 };

it('the lag of the event loop is what it is late in span after span, not in one', async () => {
  const lag = new LoopLag(fast);
  const work = async (blockMs: number): Promise<number> => {
    for (let n = 0; n < 60; n += 1) {
      const untilMs = systemClock.nowMs() + blockMs;
      while (systemClock.nowMs() < untilMs);
      await pause(5);
    }
    return lag.p95Ms();
  };
  expect(await work(60)).toBe(0);
  expect(await work(60)).toBeGreaterThan(20);
  lag.stop();
});
