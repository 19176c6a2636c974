import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { RecentCount } from '../../src/deployment/recent-count.ts';

const minuteMs = 60_000;

describe('RecentCount', () => {
  it('is 0 without events', () => {
    expect(new RecentCount(new VirtualClock()).value).toBe(0);
  });

  it('counts the events of the last 15 minutes, to the minute', async () => {
    const clock = new VirtualClock();
    const count = new RecentCount(clock);
    count.add();
    count.add();
    await clock.advance(minuteMs);
    count.add();
    expect(count.value).toBe(3);
    await clock.advance(14 * minuteMs - 1);
    expect(count.value).toBe(3);
    await clock.advance(1);
    expect(count.value).toBe(1);
    await clock.advance(minuteMs);
    expect(count.value).toBe(0);
  });
});
