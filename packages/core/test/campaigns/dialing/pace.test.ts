import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pace } from '../../../src/campaigns/dialing/pace.ts';

/** Dials whenever the pace allows it at the given times; returns the time of each call. */
function dial(callsPerMinute: number, looks: readonly number[]): number[] {
  const pace = new Pace(callsPerMinute);
  const dialed: number[] = [];
  let until: number | null = null;
  for (const now of looks) {
    const { calls } = pace.allowance(until, now);
    if (calls === 0) continue;
    until = pace.after(until, now, calls);
    for (let n = 0; n < calls; n += 1) dialed.push(now);
  }
  return dialed;
}

function mostInAMinute(dialed: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [index, at] of dialed.entries()) {
    while ((dialed[from] ?? 0) <= at - 60_000) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

const everyMs = (stepMs: number, lengthMs: number): number[] =>
  Array.from({ length: Math.floor(lengthMs / stepMs) }, (_, n) => 1_000_000 + n * stepMs);

describe('Pace', () => {
  it.each([
    [1, 1],
    [6, 6],
    [60, 59],
    [119, 118],
    [600, 590],
    [10_000, 9_830],
  ])('allows at most %i calls per minute, and nearly reaches that limit', (callsPerMinute, least) => {
    const dialed = dial(callsPerMinute, everyMs(10, 180_000));
    expect(mostInAMinute(dialed)).toBeLessThanOrEqual(callsPerMinute);
    expect(mostInAMinute(dialed)).toBeGreaterThanOrEqual(least);
  });

  it('spreads calls evenly over the minute', () => {
    const [first = 0, second = 0, third = 0] = dial(6, everyMs(100, 60_000));
    expect([second - first, third - second]).toEqual([10_000, 10_000]);
  });

  it('returns when the next call may be dialed', () => {
    const pace = new Pace(6);
    const until = pace.after(null, 5_000, 1);
    expect(pace.allowance(until, 7_000)).toEqual({ calls: 0, nextAtMs: 15_000 });
    expect(pace.allowance(until, 15_000)).toEqual({ calls: 1, nextAtMs: 15_000 });
  });

  it('does not accumulate unused calls', () => {
    expect(new Pace(120).allowance(null, 1e9).calls).toBe(2);
    expect(new Pace(30).allowance(0, 1e9).calls).toBe(1);
  });

  it.each([60, 61, 120, 600, 1_000, 9_999])(
    'allows the calls of a second at once, of %i a minute',
    (callsPerMinute) => {
      const today = Date.parse('2026-01-01T09:00:00.000Z');
      expect(new Pace(callsPerMinute).allowance(null, today)).toEqual({
        calls: Math.ceil(callsPerMinute / 60),
        nextAtMs: today,
      });
    },
  );

  it('keeps the limit when polled at irregular intervals', () => {
    const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 90_000 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), gaps, (callsPerMinute, steps) => {
        let at = 1_000_000;
        const looks = steps.map((step) => {
          at += step;
          return at;
        });
        expect(mostInAMinute(dial(callsPerMinute, looks))).toBeLessThanOrEqual(callsPerMinute);
      }),
    );
  });
});
