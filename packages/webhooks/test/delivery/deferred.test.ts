import { jobLeaseMs } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { Deferred } from '../../src/delivery/deferred.ts';

describe('Deferred', () => {
  it('delays a webhook until 100 ms after the one that it waits for', async () => {
    const clock = new VirtualClock();
    const deferred = new Deferred(clock);
    deferred.set('a', clock.nowMs() + 5_000);
    expect(deferred.waitMs('a')).toBe(5_100);
    await clock.advance(4_000);
    expect(deferred.waitMs('a')).toBe(1_100);
    await clock.advance(10_000);
    expect(deferred.waitMs('a')).toBe(100);
  });

  it('checks an unknown one again after 5 s', () => {
    expect(new Deferred(new VirtualClock()).waitMs('a')).toBe(5_000);
  });

  it('forgets the webhooks that the queue has returned', () => {
    const deferred = new Deferred(new VirtualClock());
    deferred.set('a', 0);
    deferred.set('b', 0);
    deferred.delete(['a', 'unknown']);
    expect([deferred.has('a'), deferred.has('b')]).toEqual([false, true]);
  });

  it('drops entries long past their due time once there are 5,000', async () => {
    const clock = new VirtualClock();
    const deferred = new Deferred(clock);
    for (let at = 0; at < 5_000; at++) deferred.set(`old-${at}`, clock.nowMs());
    await clock.advance(2 * jobLeaseMs + 1);
    deferred.set('new', clock.nowMs());
    deferred.delete([]);
    expect([deferred.has('old-0'), deferred.has('new')]).toEqual([false, true]);
  });
});
