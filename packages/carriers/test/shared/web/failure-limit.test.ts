import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { FailureLimit } from '../../../src/shared/web/failure-limit.ts';

it('FailureLimit refuses unknown accounts after 20 failures in a second, but none that has succeeded', async () => {
  const clock = new VirtualClock();
  const limit = new FailureLimit(clock);
  limit.succeeded('AC-known');
  for (let n = 0; n < 20; n++) {
    expect(limit.mayTry(`AC${n}`)).toBe(true);
    limit.failed(`AC${n}`);
  }
  expect([limit.mayTry('AC-new'), limit.mayTry('AC-known')]).toEqual([false, true]);
  await clock.advance(1_000);
  expect(limit.mayTry('AC-new')).toBe(true);
});
