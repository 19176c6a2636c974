import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { MinuteCounter } from '../../src/limits/minute-counter.ts';

describe('MinuteCounter', () => {
  it('counts each key down to 0, and starts again with the next minute of the clock', async () => {
    const clock = new VirtualClock(new Date('2026-01-01T09:00:40.500Z'));
    const counter = new MinuteCounter(clock, 2);
    const resetSeconds = Date.parse('2026-01-01T09:01:00.000Z') / 1_000;
    const common = { limit: 2, resetSeconds, retryAfterSeconds: 20 };
    expect(counter.take('a')).toEqual({ ...common, remaining: 1, isExceeded: false });
    expect(counter.take('a')).toEqual({ ...common, remaining: 0, isExceeded: false });
    expect(counter.take('a')).toEqual({ ...common, remaining: 0, isExceeded: true });
    expect(counter.take('b')).toMatchObject({ remaining: 1 });
    await clock.advance(19_499);
    expect(counter.take('a')).toMatchObject({ isExceeded: true, retryAfterSeconds: 1 });
    await clock.advance(1);
    expect(counter.take('a')).toMatchObject({ remaining: 1, isExceeded: false, resetSeconds: resetSeconds + 60 });
  });

  it('forgets the keys of the minute before', async () => {
    const clock = new VirtualClock();
    const counter = new MinuteCounter(clock, 5);
    for (let n = 0; n < 1_000; n += 1) counter.take(`key ${n}`);
    expect(counter.size).toBe(1_000);
    await clock.advance(60_000);
    counter.take('key 1');
    expect(counter.size).toBe(1);
  });
});
