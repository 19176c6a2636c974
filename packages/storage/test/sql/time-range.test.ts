import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TimeRange, timeRange } from '../../src/sql/time-range.ts';

const dayMs = 86_400_000;
const ms = (text: string): number =>
  text === 'infinity' ? Number.POSITIVE_INFINITY : text === '-infinity' ? Number.NEGATIVE_INFINITY : Date.parse(text);

/** The parts of a range, each from inclusive to exclusive; those that are empty are left out. */
function partsOf(range: TimeRange): (readonly [from: number, before: number])[] {
  const { from, morning, firstDay, firstMonth, endMonth, endDay, evening, before } = range;
  const parts = [
    [from, morning],
    [firstDay, firstMonth],
    [firstMonth, endMonth],
    [endMonth, endDay],
    [evening, before],
  ] as const;
  return parts.map(([a, b]) => [ms(a), ms(b)] as const).filter(([a, b]) => a < b);
}

describe('timeRange', () => {
  it('splits a range into partial days, days and months', () => {
    expect(timeRange('2026-01-30T12:00:00.000Z', '2026-04-02T06:00:00.000Z')).toEqual({
      from: '2026-01-30T12:00:00.000Z',
      morning: '2026-01-31T00:00:00.000Z',
      firstDay: '2026-01-31T00:00:00.000Z',
      firstMonth: '2026-02-01T00:00:00.000Z',
      endMonth: '2026-04-01T00:00:00.000Z',
      endDay: '2026-04-02T00:00:00.000Z',
      evening: '2026-04-02T00:00:00.000Z',
      before: '2026-04-02T06:00:00.000Z',
    });
  });

  it.each([
    ['a range within a day', '2026-01-30T01:00:00.000Z', '2026-01-30T02:00:00.000Z', 1],
    ['a range over midnight without a whole day', '2026-01-30T23:00:00.000Z', '2026-01-31T01:00:00.000Z', 1],
    ['a whole day', '2026-01-30T00:00:00.000Z', '2026-01-31T00:00:00.000Z', 1],
    ['a whole month', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 1],
    ['whole months', '2025-11-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 1],
    ['days of two months', '2026-01-30T00:00:00.000Z', '2026-02-02T00:00:00.000Z', 2],
    ['an empty range', '2026-01-30T01:00:00.000Z', '2026-01-30T01:00:00.000Z', 0],
    ['a range that ends before it begins', '2026-03-30T01:00:00.000Z', '2026-01-30T01:00:00.000Z', 0],
  ])('has as many parts as %s needs', (_name, from, before, count) => {
    expect(partsOf(timeRange(from, before))).toHaveLength(count);
  });

  it.each([
    [undefined, undefined],
    ['2026-01-30T12:00:00.000Z', undefined],
    [undefined, '2026-04-02T06:00:00.000Z'],
    ['9999-12-31T12:00:00.000Z', undefined],
  ])('covers a range from %s to %s that is open', (from, before) => {
    const parts = partsOf(timeRange(from, before));
    expect(parts[0]?.[0]).toBe(ms(from ?? '-infinity'));
    expect(parts.at(-1)?.[1]).toBe(ms(before ?? 'infinity'));
    for (const [n, [begin]] of parts.entries()) if (n > 0) expect(begin).toBe(parts[n - 1]?.[1]);
  });

  it('covers every range without a gap or an overlap', () => {
    const time = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) });
    const lengths = fc.oneof(fc.integer({ min: 1, max: 3 * dayMs }), fc.integer({ min: 1, max: 900 * dayMs }));
    fc.assert(
      fc.property(time, lengths, (fromMs, lengthMs) => {
        const [from, before] = [new Date(fromMs), new Date(fromMs + lengthMs)].map((date) => date.toISOString());
        const parts = partsOf(timeRange(from, before));
        expect(parts[0]?.[0]).toBe(fromMs);
        expect(parts.at(-1)?.[1]).toBe(fromMs + lengthMs);
        for (const [n, [begin]] of parts.entries()) if (n > 0) expect(begin).toBe(parts[n - 1]?.[1]);
      }),
      { seed: 20_260_110, numRuns: 500 },
    );
  });
});
