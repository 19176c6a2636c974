import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OutsideWork } from '../../src/simulation/outside-work.ts';
import { VirtualClock } from '../../src/virtual-clock.ts';

/** Returns whether a promise has resolved by now. */
async function isResolved(work: Promise<void>): Promise<boolean> {
  let resolved = false;
  void work.then(() => {
    resolved = true;
  });
  await setImmediate();
  return resolved;
}

/** Work that is pending until `finish` is called. */
function pending(): { readonly work: Promise<string>; finish(): void } {
  let finish = (): void => {};
  const work = new Promise<string>((resolve) => {
    finish = () => resolve('done');
  });
  return { work, finish };
}

describe('OutsideWork', () => {
  it('lets virtual time pass freely while no work is pending', async () => {
    expect(await isResolved(new OutsideWork(new VirtualClock()).pace(60_000))).toBe(true);
  });

  it('paces virtual time by the real clock while work is pending', async () => {
    const real = new VirtualClock();
    const outside = new OutsideWork(real);
    const { work, finish } = pending();
    const result = outside.during(work);
    const step = outside.pace(20);
    await real.advance(19);
    expect(await isResolved(step)).toBe(false);
    await real.advance(1);
    expect(await isResolved(step)).toBe(true);
    finish();
    expect(await result).toBe('done');
    expect(await isResolved(outside.pace(20))).toBe(true);
  });

  it('compensates a step that ended late in the next one', async () => {
    const real = new VirtualClock();
    const outside = new OutsideWork(real);
    void outside.during(pending().work);
    const first = outside.pace(20);
    await real.advance(25);
    await first;
    const second = outside.pace(20);
    await real.advance(14);
    expect(await isResolved(second)).toBe(false);
    await real.advance(1);
    expect(await isResolved(second)).toBe(true);
  });

  it('does not catch up on the time before the work began', async () => {
    const real = new VirtualClock();
    const outside = new OutsideWork(real);
    await real.advance(10_000);
    void outside.during(pending().work);
    const first = outside.pace(20);
    await real.advance(0);
    expect(await isResolved(first)).toBe(true);
    const second = outside.pace(20);
    expect(await isResolved(second)).toBe(false);
    await real.advance(20);
    expect(await isResolved(second)).toBe(true);
  });

  it('lets virtual time pass freely while pending work waits for it', async () => {
    const outside = new OutsideWork(new VirtualClock());
    const inner = pending();
    const result = outside.during(outside.inside(inner.work));
    expect(await isResolved(outside.pace(60_000))).toBe(true);
    inner.finish();
    expect(await result).toBe('done');
  });

  it('passes a rejection on and stops pacing', async () => {
    const outside = new OutsideWork(new VirtualClock());
    await expect(outside.during(Promise.reject(new Error('no connection')))).rejects.toThrow('no connection');
    expect(await isResolved(outside.pace(60_000))).toBe(true);
  });
});
