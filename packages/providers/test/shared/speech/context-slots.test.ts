import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { ContextSlots } from '../../../src/shared/speech/context-slots.ts';

function setUp(maxContexts = 2) {
  const clock = new VirtualClock();
  const freed: boolean[] = [];
  const slots = new ContextSlots(clock, { maxContexts, closingTimeoutMs: 5_000 }, (confirmed) => freed.push(confirmed));
  return { clock, freed, slots };
}

describe('ContextSlots', () => {
  it('has as many slots as the service has contexts', () => {
    const { slots } = setUp();
    slots.take('a');
    expect(slots.hasFree).toBe(true);
    slots.take('b');
    expect(slots.hasFree).toBe(false);
    slots.release('a');
    expect(slots.hasFree).toBe(true);
  });

  it('counts a closing context until the service confirms its end', () => {
    const { clock, freed, slots } = setUp(1);
    slots.take('a');
    slots.closing('a');
    expect(slots.hasFree).toBe(false);
    slots.release('a');
    expect(slots.hasFree).toBe(true);
    expect(freed).toEqual([true]);
    expect(clock.pending).toBe(0);
  });

  it('frees a closing context without a confirmation after the timeout', async () => {
    const { clock, freed, slots } = setUp(1);
    slots.take('a');
    slots.closing('a');
    await clock.advance(4_999);
    expect(slots.hasFree).toBe(false);
    await clock.advance(1);
    expect(slots.hasFree).toBe(true);
    expect(freed).toEqual([false]);
  });

  it('is blocked only when all contexts are closing', () => {
    const { slots } = setUp();
    slots.take('a');
    slots.take('b');
    slots.closing('a');
    expect(slots.isBlocked).toBe(false);
    slots.closing('b');
    expect(slots.isBlocked).toBe(true);
  });

  it('ignores contexts that it does not know', () => {
    const { clock, freed, slots } = setUp();
    slots.closing('x');
    slots.release('x');
    expect(freed).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('forgets all contexts when the connection is lost', () => {
    const { clock, freed, slots } = setUp();
    slots.take('a');
    slots.take('b');
    slots.closing('b');
    slots.clear();
    expect(slots.hasFree).toBe(true);
    expect(slots.isBlocked).toBe(false);
    expect(clock.pending).toBe(0);
    expect(freed).toEqual([]);
  });
});
