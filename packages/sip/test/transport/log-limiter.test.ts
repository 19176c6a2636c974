import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { LogLimiter } from '../../src/transport/log-limiter.ts';

describe('LogLimiter', () => {
  it('allows one line per source and minute, with the number of suppressed ones', async () => {
    const clock = new VirtualClock();
    const limiter = new LogLimiter(clock);
    expect([limiter.take('a'), limiter.take('a'), limiter.take('a'), limiter.take('b')]).toEqual([0, null, null, 0]);
    await clock.advance(60_000);
    expect([limiter.take('a'), limiter.take('a')]).toEqual([2, null]);
  });

  it('gives sources beyond its limit one line together', () => {
    const limiter = new LogLimiter(new VirtualClock());
    const lines = Array.from({ length: 5_000 }, (_, n) => limiter.take(`source-${n}`)).filter((each) => each !== null);
    expect(lines).toHaveLength(1_025);
  });
});
