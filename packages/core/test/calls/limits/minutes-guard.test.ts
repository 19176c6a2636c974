import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { MinutesGuard, type MinutesUser } from '../../../src/calls/limits/minutes-guard.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { untyped } from '../../support/untyped.ts';

interface Stored {
  /** Minutes of the organization; null for no limit. */
  minutes: number | null;
  /** Wall times at which recorded calls were answered. */
  answered?: string[];
  isShared?: boolean;
  isDown?: boolean;
}

/** A guard over one organization whose stored minutes a test changes. */
function guarded(stored: Stored) {
  const clock = new VirtualClock();
  let looks = 0;
  const get = async (): Promise<unknown> => {
    looks += 1;
    if (stored.isDown === true) throw new Error('the database is down');
    return { minutes_balance: stored.minutes };
  };
  const list = async (): Promise<unknown> => (stored.answered ?? []).map((answered_at) => ({ answered_at }));
  const storage: Storage = untyped({
    capabilities: { shared: stored.isShared === true },
    organizations: { get },
    calls: { list },
  });
  return { clock, guard: new MinutesGuard({ storage, clock, logger: silentLogger }), looks: () => looks };
}

/** A bridged caller from now on; records the times at which the guard ends it. */
function bridged(clock: VirtualClock): MinutesUser & { readonly ends: number[] } {
  const sinceMs = clock.nowMs();
  const ends: number[] = [];
  return { ends, end: () => void ends.push(clock.nowMs()), unrecordedMs: () => clock.nowMs() - sinceMs };
}

describe('MinutesGuard', () => {
  it('ends all calls when their time together has used the minutes', async () => {
    const { clock, guard } = guarded({ minutes: 1 });
    const [one, two] = [bridged(clock), bridged(clock)];
    guard.watch('org', one);
    guard.watch('org', two);
    await clock.advance(29_999);
    expect([one.ends, two.ends]).toEqual([[], []]);
    await clock.advance(1);
    expect([one.ends, two.ends]).toEqual([[30_000], [30_000]]);
  });

  it('counts recorded calls from their answer', async () => {
    const started = new VirtualClock().wallMs();
    const answered = [new Date(started - 30_000).toISOString()];
    const { clock, guard } = guarded({ minutes: 1, answered });
    const ends: number[] = [];
    guard.watch('org', { end: () => void ends.push(clock.nowMs()) });
    await clock.advance(29_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual([30_000]);
  });

  it('gives the other calls more time when a call ends', async () => {
    const { clock, guard } = guarded({ minutes: 1 });
    const [one, two] = [bridged(clock), bridged(clock)];
    const unwatch = guard.watch('org', one);
    guard.watch('org', two);
    await clock.advance(20_000);
    unwatch();
    await clock.advance(39_999);
    expect(two.ends).toEqual([]);
    await clock.advance(1);
    expect([one.ends, two.ends]).toEqual([[], [60_000]]);
  });

  it('reads the minutes again before it ends a call, so that added minutes count', async () => {
    const stored: Stored = { minutes: 1 };
    const { clock, guard } = guarded(stored);
    const only = bridged(clock);
    guard.watch('org', only);
    await clock.advance(30_000);
    stored.minutes = 2;
    await clock.advance(60_000);
    expect(only.ends).toEqual([]);
    await clock.advance(30_000);
    expect(only.ends).toEqual([120_000]);
  });

  it('reads the minutes at least every 10 s, because other processes use them too', async () => {
    const { clock, guard, looks } = guarded({ minutes: 60, isShared: true });
    guard.watch('org', bridged(clock));
    await clock.advance(25_000);
    expect(looks()).toBe(3);
  });

  it('sets no timer without a limit', async () => {
    const { clock, guard, looks } = guarded({ minutes: null });
    guard.watch('org', bridged(clock));
    await clock.advance(60_000);
    expect([looks(), clock.pending]).toEqual([1, 0]);
  });

  it('ends no call while the minutes cannot be read, and retries after 5 s', async () => {
    const stored: Stored = { minutes: 0, isDown: true };
    const { clock, guard } = guarded(stored);
    const only = bridged(clock);
    guard.watch('org', only);
    await clock.advance(4_000);
    stored.isDown = false;
    expect(only.ends).toEqual([]);
    await clock.advance(1_000);
    expect(only.ends).toEqual([5_000]);
  });

  it('stops reading the minutes when the last call has ended', async () => {
    const { clock, guard, looks } = guarded({ minutes: 10 });
    const unwatch = guard.watch('org', bridged(clock));
    await clock.advance(1_000);
    unwatch();
    await clock.advance(3_600_000);
    expect([looks(), clock.pending]).toEqual([1, 0]);
  });

  it('ends the calls of each organization by its own minutes', async () => {
    const { clock, guard } = guarded({ minutes: 1 });
    const [one, two] = [bridged(clock), bridged(clock)];
    guard.watch('org', one);
    guard.watch('other', two);
    await clock.advance(60_000);
    expect([one.ends, two.ends]).toEqual([[60_000], [60_000]]);
  });
});
