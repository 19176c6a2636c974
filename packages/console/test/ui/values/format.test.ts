// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatDuration,
  formatLatency,
  formatShortTime,
  formatTime,
} from '../../../src/app/ui/values/format.ts';

it.each([
  [null, '–'],
  [0, '0:00'],
  [0.9, '0:00'],
  [59.99, '0:59'],
  [60, '1:00'],
  [3_599, '59:59'],
  [3_600, '60:00'],
])('formatDuration › %j seconds', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

it.each([
  [null, '–'],
  [0, '0 ms'],
  [999, '999 ms'],
  [999.4, '999 ms'],
  [999.5, '1.0 s'],
  [1_000, '1.0 s'],
  [1_949, '1.9 s'],
])('formatLatency › %j ms', (ms, text) => {
  expect(formatLatency(ms)).toBe(text);
});

describe('formatAge', () => {
  const nowMs = Date.UTC(2026, 2, 1, 12);
  const ages = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'short' });
  it.each([
    [0, 0, 'second'],
    [59_000, 59, 'second'],
    [60_000, 1, 'minute'],
    [3_599_000, 59, 'minute'],
    [3_600_000, 1, 'hour'],
    [86_399_000, 23, 'hour'],
    [86_400_000, 1, 'day'],
    [-5_000, 0, 'second'],
  ] as const)('formats an age of %i ms', (ageMs, value, unit) => {
    expect(formatAge(new Date(nowMs - ageMs).toISOString(), nowMs)).toBe(ages.format(-value, unit));
  });
});

describe('formatShortTime', () => {
  it('names the year only if it is not the current one', () => {
    const instant = '2025-06-15T12:00:00.000Z';
    expect(formatShortTime(instant, Date.UTC(2025, 8, 1))).not.toContain('2025');
    expect(formatShortTime(instant, Date.UTC(2026, 8, 1))).toContain('2025');
  });
});

it('formatTime › shows a dash without an instant', () => {
  expect(formatTime(null)).toBe('–');
});
