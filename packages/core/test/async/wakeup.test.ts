import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { Wakeup } from '../../src/async/wakeup.ts';

/** A wake-up whose waits return the virtual time of their end. */
function waking(signal?: AbortSignal) {
  const clock = new VirtualClock();
  const wakeup = new Wakeup(clock, signal);
  const ends: number[] = [];
  const wait = async (limitMs: number): Promise<void> => {
    await wakeup.wait(limitMs);
    ends.push(clock.nowMs());
  };
  return { clock, wakeup, ends, wait };
}

describe('Wakeup', () => {
  it('ends a wait at once, and cancels its timer', async () => {
    const { clock, wakeup, ends, wait } = waking();
    const waiting = wait(1_000);
    await clock.advance(300);
    wakeup.wake();
    await waiting;
    expect(ends).toEqual([300]);
    expect(clock.pending).toBe(0);
  });

  it('ends a wait at its time limit', async () => {
    const { clock, ends, wait } = waking();
    const waiting = wait(1_000);
    await clock.advance(999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    await waiting;
    expect(ends).toEqual([1_000]);
  });

  it('ends the next wait at once when it happened before, but only that one', async () => {
    const { clock, wakeup, ends, wait } = waking();
    wakeup.wake();
    wakeup.wake();
    await wait(1_000);
    const second = wait(1_000);
    await clock.advance(1_000);
    await second;
    expect(ends).toEqual([0, 1_000]);
  });

  it('does not end a later wait when it ended one', async () => {
    const { clock, wakeup, ends, wait } = waking();
    const first = wait(1_000);
    wakeup.wake();
    await first;
    const second = wait(1_000);
    await clock.advance(1_000);
    await second;
    expect(ends).toEqual([0, 1_000]);
  });

  it('ends a wait at once with a signal that was aborted before', async () => {
    const { ends, wait } = waking(AbortSignal.abort());
    await wait(1_000);
    expect(ends).toEqual([0]);
  });

  it('ends a wait when the signal aborts', async () => {
    const leaving = new AbortController();
    const { clock, ends, wait } = waking(leaving.signal);
    const waiting = wait(1_000);
    await clock.advance(100);
    leaving.abort();
    await waiting;
    expect(ends).toEqual([100]);
  });
});
