import { getEventListeners } from 'node:events';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { RequestTimeout } from '../../src/shared/connection/request-timeout.ts';

function setUp(outer = new AbortController()) {
  const clock = new VirtualClock();
  return { clock, outer, timeout: new RequestTimeout('mine', clock, 1_000, outer.signal) };
}

describe('RequestTimeout', () => {
  it('aborts when no data arrives in time', async () => {
    const { clock, timeout } = setUp();
    await clock.advance(999);
    expect(timeout.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(timeout.signal.aborted).toBe(true);
    expect(timeout.error).toMatchObject({ provider: 'mine', fault: 'timeout', retryable: true });
  });

  it('starts again with each chunk', async () => {
    const { clock, timeout } = setUp();
    for (let chunk = 0; chunk < 5; chunk++) {
      await clock.advance(900);
      timeout.renew();
    }
    expect(timeout.signal.aborted).toBe(false);
  });

  it.each([true, false])('aborts without an error of its own when the caller aborts (before: %s)', (isBefore) => {
    const outer = new AbortController();
    if (isBefore) outer.abort();
    const { timeout } = setUp(outer);
    outer.abort();
    expect(timeout.signal.aborted).toBe(true);
    expect(timeout.error).toBeUndefined();
  });

  it('leaves neither a timer nor a listener at its end', () => {
    const { clock, outer, timeout } = setUp();
    timeout.end();
    expect(clock.pending).toBe(0);
    expect(getEventListeners(outer.signal, 'abort')).toEqual([]);
    expect(timeout.signal.aborted).toBe(true);
  });
});
