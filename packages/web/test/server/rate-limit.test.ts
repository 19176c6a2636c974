import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { RateLimit } from '../../src/server/rate-limit.ts';

it('rate limit › allows a burst, and afterwards the rate', async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, { perSecond: 10, burst: 5 });
  const taken = (): number => Array.from({ length: 100 }, () => limit.take()).filter(Boolean).length;
  expect(taken()).toBe(5);
  await clock.advance(300);
  expect(taken()).toBe(3);
  await clock.advance(60_000);
  expect(taken()).toBe(5);
});
