import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createdWithin, dateRangeFields } from '../../src/input/date-range.ts';

const schema = z.strictObject(dateRangeFields);

describe('a range of dates', () => {
  it.each([
    ['2026-02-28'],
    ['2024-02-29'],
    ['1970-01-02'],
    ['9998-12-31'],
    ['2026-01-01T09:00:00Z'],
    ['2026-01-01T09:00:00.123+05:30'],
  ])('accepts %s', (date) => {
    expect(schema.parse({ start_date: date, end_date: date })).toEqual({ start_date: date, end_date: date });
  });

  it.each([
    ['a day that the month does not have', '2026-02-29', 'expected YYYY-MM-DD or an ISO 8601 date-time with a zone'],
    ['a date-time without a zone', '2026-01-01T09:00:00', 'expected YYYY-MM-DD or an ISO 8601 date-time with a zone'],
    ['a year alone', '2026', 'expected YYYY-MM-DD or an ISO 8601 date-time with a zone'],
    ['a year before 1970', '1969-12-31', 'expected a year from 1970 to 9998'],
    ['a year after 9998', '9999-01-01', 'expected a year from 1970 to 9998'],
  ])('refuses %s', (_case, date, message) => {
    expect(schema.safeParse({ start_date: date }).error?.issues[0]?.message).toBe(message);
  });
});

describe('createdWithin', () => {
  it('returns no condition without a bound', () => {
    expect(createdWithin({})).toBeUndefined();
  });

  it('begins at the start of a day in UTC', () => {
    expect(createdWithin({ start_date: '2026-03-01' })).toEqual({ gte: '2026-03-01T00:00:00.000Z' });
  });

  it('includes the day of the end', () => {
    expect(createdWithin({ end_date: '2026-02-28' })).toEqual({ lt: '2026-03-01T00:00:00.000Z' });
  });

  it('ends before an instant, and converts instants to UTC', () => {
    const range = { start_date: '2026-03-01T02:00:00+02:00', end_date: '2026-03-01T23:30:00-01:00' };
    expect(createdWithin(range)).toEqual({ gte: '2026-03-01T00:00:00.000Z', lt: '2026-03-02T00:30:00.000Z' });
  });
});
