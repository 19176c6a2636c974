// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { daysOf, lastDays, periodOf } from '../../../src/app/pages/usage/period.ts';

describe('the period', () => {
  const nowMs = Date.parse('2026-03-02T23:30:00.000Z');

  it('is the last 30 days, unless the URL names days', () => {
    expect(periodOf({}, nowMs)).toEqual({ from: '2026-02-01', to: '2026-03-02' });
    expect(periodOf({ from: '2026-01-01', to: '<img>' }, nowMs)).toEqual({ from: '2026-01-01', to: '2026-03-02' });
    expect(lastDays(7, nowMs)).toEqual({ from: '2026-02-24', to: '2026-03-02' });
  });

  it('has each of its days, and at most 366', () => {
    expect(daysOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysOf({ from: '2026-02-27', to: '2026-02-01' })).toEqual([]);
    expect(daysOf({ from: '2000-01-01', to: '2026-02-01' })).toHaveLength(366);
  });
});
