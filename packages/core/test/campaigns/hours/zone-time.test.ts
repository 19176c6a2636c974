import { describe, expect, it } from 'vitest';
import { instantsOf, transitionsOn, wallTimeAt } from '../../../src/campaigns/hours/zone-time.ts';

const utc = (instants: readonly number[]): string[] => instants.map((atMs) => new Date(atMs).toISOString());

function offsetAt(zone: string, atMs: number): number {
  const { date, time } = wallTimeAt(zone, atMs);
  return Date.parse(`${date}T${time}Z`) - atMs;
}

describe('wall time of a time zone', () => {
  it.each([
    ['Europe/Amsterdam', '2026-01-15T12:00:00Z', 60],
    ['Europe/Amsterdam', '2026-07-15T12:00:00Z', 120],
    ['America/New_York', '2026-03-08T06:59:59Z', -300],
    ['America/New_York', '2026-03-08T07:00:00Z', -240],
    ['Asia/Kolkata', '2026-01-01T00:00:00Z', 330],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 660],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00Z', 840],
    ['UTC', '2026-01-01T00:00:00Z', 0],
  ])('in %s at %s is %i minutes ahead of UTC', (zone, at, minutes) => {
    expect(offsetAt(zone, Date.parse(at))).toBe(minutes * 60_000);
  });

  it('is 00:00:00 at midnight', () => {
    expect(wallTimeAt('Europe/Amsterdam', Date.parse('2026-01-14T23:00:00Z'))).toEqual({
      date: '2026-01-15',
      time: '00:00:00',
    });
  });

  it('has one instant on most days', () => {
    const at = { date: '2026-06-01', time: '09:00:00' };
    expect(utc(instantsOf('Europe/Amsterdam', at))).toEqual(['2026-06-01T07:00:00.000Z']);
  });

  it('has no instant within the hour that daylight saving time skips', () => {
    expect(instantsOf('Europe/Amsterdam', { date: '2026-03-29', time: '02:30:00' })).toEqual([]);
    expect(instantsOf('America/New_York', { date: '2026-03-08', time: '02:00:00' })).toEqual([]);
  });

  it('has two instants within the hour that is repeated', () => {
    expect(utc(instantsOf('Europe/Amsterdam', { date: '2026-10-25', time: '02:30:00' }))).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
  });

  it.each([
    ['Europe/Amsterdam', '2026-03-29', ['2026-03-29T01:00:00.000Z']],
    ['Europe/Amsterdam', '2026-10-25', ['2026-10-25T01:00:00.000Z']],
    ['Australia/Lord_Howe', '2026-04-05', ['2026-04-04T15:00:00.000Z']],
    ['Europe/Amsterdam', '2026-06-01', []],
    ['UTC', '2026-03-29', []],
  ])('in %s has transitions around %s at %j', (zone, date, expected) => {
    expect(utc(transitionsOn(zone, date))).toEqual(expected);
  });

  it('throws a RangeError for an unknown time zone', () => {
    expect(() => offsetAt('Mars/Olympus', 0)).toThrow(RangeError);
  });
});
