import { getEventListeners } from 'node:events';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { raceTimeout } from '../../src/delivery/race-timeout.ts';

async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

const never = new Promise<void>(() => {});

describe('raceTimeout', () => {
  it('ends with the work, and leaves neither a timer nor a listener', async () => {
    const clock = new VirtualClock();
    const { signal } = new AbortController();
    await raceTimeout(clock, Promise.resolve(), 1_000, signal);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends when the work fails', async () => {
    await raceTimeout(new VirtualClock(), Promise.reject(new Error('failed')), 1_000);
  });

  it('ends after the limit', async () => {
    const clock = new VirtualClock();
    const race = raceTimeout(clock, never, 1_000);
    await clock.advance(999);
    expect(await isSettled(race)).toBe(false);
    await clock.advance(1);
    expect(await isSettled(race)).toBe(true);
  });

  it.each([true, false])('ends on an abort (before: %s)', async (isBefore) => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    if (isBefore) controller.abort();
    const race = raceTimeout(clock, never, 1_000, controller.signal);
    controller.abort();
    expect(await isSettled(race)).toBe(true);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
