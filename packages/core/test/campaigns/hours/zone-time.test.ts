import { describe, expect, it } from 'vitest';
import { instantsOf, transitionsOn, wallTimeAt } from '../../../src/campaigns/hours/zone-time.ts';

const utc = (instants: readonly number[]): string[] => instants.map((atMs) => new Date(atMs).toISOString());

function offsetAt(zone: string, atMs: number): number {
  const { date, time } = wallTimeAt(zone, atMs);
  return Date.parse(`${date}T${time}Z`) - atMs;
}

describe('the clocks of a zone', () => {
  it.each([
    ['Europe/Amsterdam', '2026-01-15T12:00:00Z', 60],
    ['Europe/Amsterdam', '2026-07-15T12:00:00Z', 120],
    ['America/New_York', '2026-03-08T06:59:59Z', -300],
    ['America/New_York', '2026-03-08T07:00:00Z', -240],
    ['Asia/Kolkata', '2026-01-01T00:00:00Z', 330],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 660],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00Z', 840],
    ['UTC', '2026-01-01T00:00:00Z', 0],
  ])('of %s are ahead of UTC at %s by %i minutes', (zone, at, minutes) => {
    expect(offsetAt(zone, Date.parse(at))).toBe(minutes * 60_000);
  });

  it('show midnight as the beginning of the day', () => {
    expect(wallTimeAt('Europe/Amsterdam', Date.parse('2026-01-14T23:00:00Z'))).toEqual({
      date: '2026-01-15',
      time: '00:00:00',
    });
  });

  it('show a time once on most days', () => {
    const at = { date: '2026-06-01', time: '09:00:00' };
    expect(utc(instantsOf('Europe/Amsterdam', at))).toEqual(['2026-06-01T07:00:00.000Z']);
  });

  it('show no time of the hour that they skip', () => {
    expect(instantsOf('Europe/Amsterdam', { date: '2026-03-29', time: '02:30:00' })).toEqual([]);
    expect(instantsOf('America/New_York', { date: '2026-03-08', time: '02:00:00' })).toEqual([]);
  });

  it('show each time of the hour that they repeat twice', () => {
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
  ])('of %s are put forward or back around %s at %j', (zone, date, expected) => {
    expect(utc(transitionsOn(zone, date))).toEqual(expected);
  });

  it('reject an unknown zone', () => {
    expect(() => offsetAt('Mars/Olympus', 0)).toThrow(RangeError);
  });
});
