import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { pause } from '../../src/async/pause.ts';
import { within } from '../../src/async/within.ts';

it('within returns the result in time, or null after the timeout, and leaves no timer', async () => {
  const clock = new VirtualClock();
  expect(await within(1_000, clock, Promise.resolve('done'))).toBe('done');
  const late = within(1_000, clock, new Promise(() => {}));
  await clock.advance(1_000);
  expect(await late).toBeNull();
  await expect(within(1_000, clock, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(clock.pending).toBe(0);
});

it('within and pause end when the signal aborts, or at once when it has already aborted', async () => {
  const clock = new VirtualClock();
  const aborter = new AbortController();
  const waiting = [within(1_000, clock, new Promise(() => {}), aborter.signal), pause(1_000, clock, aborter.signal)];
  aborter.abort();
  await Promise.all(waiting);
  await pause(1_000, clock, aborter.signal);
  expect(clock.pending).toBe(0);
});

it('pause waits for the whole time without an abort', async () => {
  const clock = new VirtualClock();
  let isOver = false;
  const pausing = pause(1_000, clock).then(() => {
    isOver = true;
  });
  await clock.advance(999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  await pausing;
});
