import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallingHours, closesAt, isOpen, opensAt } from '../../../src/campaigns/hours/calling-hours.ts';
import { weekdays } from '../../../src/domain/campaigns/campaign.ts';

const office: CallingHours = {
  schedule_start_time: '09:00:00',
  schedule_end_time: '17:30:00',
  timezone: 'Europe/Amsterdam',
  schedule_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  start_date: null,
  end_date: null,
};

const always = { schedule_days: [...weekdays] };
const hours = (start: string, end: string, changes: Partial<CallingHours> = {}): CallingHours => ({
  ...office,
  ...always,
  schedule_start_time: start,
  schedule_end_time: end,
  ...changes,
});

const at = (text: string): number => Date.parse(text);
const text = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

describe('calling hours', () => {
  it.each([
    // 2026-01-15 is a Thursday.
    ['2026-01-15T07:59:59.999Z', false],
    ['2026-01-15T08:00:00.000Z', true],
    ['2026-01-15T16:29:59.999Z', true],
    ['2026-01-15T16:30:00.000Z', false],
    ['2026-07-15T07:00:00.000Z', true],
    ['2026-07-15T15:30:00.000Z', false],
    ['2026-01-17T12:00:00.000Z', false],
  ])('at %s: open is %s', (instant, expected) => {
    expect(isOpen(office, at(instant))).toBe(expected);
  });

  it.each([
    ['immediately when they are open', office, '2026-01-15T12:00:00Z', '2026-01-15T12:00:00.000Z'],
    ['the same day', office, '2026-01-15T01:00:00Z', '2026-01-15T08:00:00.000Z'],
    ['the next day', office, '2026-01-15T17:00:00Z', '2026-01-16T08:00:00.000Z'],
    ['after the weekend', office, '2026-01-16T17:00:00Z', '2026-01-19T08:00:00.000Z'],
    ['on the first date', { ...office, start_date: '2031-02-05' }, '2026-01-15T12:00:00Z', '2031-02-05T08:00:00.000Z'],
    ['not after the last date', { ...office, end_date: '2026-01-15' }, '2026-01-15T16:30:00Z', null],
    [
      'not when no scheduled day is left before the last date',
      { ...office, end_date: '2026-01-18' },
      '2026-01-17T01:00:00Z',
      null,
    ],
    ['on the last date', { ...office, end_date: '2026-01-15' }, '2026-01-15T06:00:00Z', '2026-01-15T08:00:00.000Z'],
    // The date in Auckland is ahead of the UTC date.
    [
      'on the date of their time zone',
      hours('06:00:00', '07:00:00', { timezone: 'Pacific/Auckland', start_date: '2026-06-02' }),
      '2026-06-01T00:00:00Z',
      '2026-06-01T18:00:00.000Z',
    ],
  ])('open %s', (_, each, from, expected) => {
    expect(text(opensAt(each, at(from)))).toBe(expected);
  });

  // On 2026-03-29 clocks in Amsterdam skip from 02:00 to 03:00 (at 01:00 UTC).
  it.each([
    ['from before the skipped hour into it', hours('01:00:00', '02:30:00'), '00:00', '00:00', '01:00'],
    ['from within the skipped hour until after it', hours('02:30:00', '04:00:00'), '00:00', '01:00', '02:00'],
    ['from the end of the skipped hour', hours('03:00:00', '04:00:00'), '00:00', '01:00', '02:00'],
    ['around the skipped hour', hours('01:00:00', '04:00:00'), '00:00', '00:00', '02:00'],
    ['after the skipped hour', hours('09:00:00', '17:00:00'), '00:00', '07:00', '15:00'],
  ])('%s open and close correctly when clocks are put forward', (_, each, from, opens, closes) => {
    const instant = (time: string): string => `2026-03-29T${time}:00.000Z`;
    const opening = opensAt(each, at(instant(from)));
    expect(text(opening)).toBe(instant(opens));
    expect(text(closesAt(each, opening ?? 0))).toBe(instant(closes));
  });

  it('within the skipped hour do not open on that day', () => {
    const skipped = hours('02:10:00', '02:50:00');
    expect(text(opensAt(skipped, at('2026-03-28T12:00:00Z')))).toBe('2026-03-30T00:10:00.000Z');
    const onSundays = { ...skipped, schedule_days: ['sun' as const] };
    expect(text(opensAt(onSundays, at('2026-03-28T12:00:00Z')))).toBe('2026-04-05T00:10:00.000Z');
    expect(
      opensAt({ ...skipped, start_date: '2026-03-29', end_date: '2026-03-29' }, at('2026-03-28T12:00:00Z')),
    ).toBeNull();
  });

  // On 2026-10-25 clocks in Amsterdam go back from 03:00 to 02:00 (at 01:00 UTC).
  it.each([
    [
      'within the repeated hour',
      hours('02:10:00', '02:50:00'),
      [
        ['00:10', '00:50'],
        ['01:10', '01:50'],
      ],
    ],
    [
      'from before the repeated hour into it',
      hours('01:00:00', '02:30:00'),
      [
        ['23:00', '00:30'],
        ['01:00', '01:30'],
      ],
    ],
    [
      'from within the repeated hour until after it',
      hours('02:30:00', '04:00:00'),
      [
        ['00:30', '01:00'],
        ['01:30', '03:00'],
      ],
    ],
    ['around the repeated hour', hours('01:00:00', '04:00:00'), [['23:00', '03:00']]],
  ])('%s open and close correctly when clocks are put back', (_, each, expected) => {
    const found: string[][] = [];
    let from = at('2026-10-24T20:00:00Z');
    for (const _pair of expected) {
      const opening = opensAt(each, from) ?? 0;
      from = closesAt(each, opening);
      found.push([text(opening)?.slice(11, 16) ?? '', text(from)?.slice(11, 16) ?? '']);
    }
    expect(found).toEqual(expected);
    expect(text(opensAt(each, from))?.slice(0, 10)).toBe('2026-10-26');
  });

  it('open and close at the earliest possible instants in any time zone', () => {
    const zones = [
      'Europe/Amsterdam',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'Africa/Casablanca',
      'America/St_Johns',
    ];
    const minute = 60_000;
    const anyHours = fc
      .record({
        timezone: fc.constantFrom(...zones),
        times: fc.uniqueArray(fc.integer({ min: 0, max: 24 * 60 - 1 }), { minLength: 2, maxLength: 2 }),
        days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
      })
      .map(({ timezone, times, days }): CallingHours => {
        const [start = 0, end = 1] = [...times].sort((a, b) => a - b);
        const time = (n: number): string =>
          `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:00`;
        return {
          ...office,
          timezone,
          schedule_days: days,
          schedule_start_time: time(start),
          schedule_end_time: time(end),
        };
      });
    // Close to changes of daylight saving time.
    const anyInstant = fc
      .tuple(
        fc.constantFrom(
          '2026-03-08',
          '2026-03-29',
          '2026-04-05',
          '2026-10-04',
          '2026-10-25',
          '2026-11-01',
          '2026-02-15',
          '2026-03-22',
        ),
        fc.integer({ min: -24 * 60, max: 48 * 60 }),
      )
      .map(([date, minutes]) => Date.parse(`${date}T00:00:00Z`) + minutes * minute);
    const instants = (fromMs: number, toMs: number, stepMs: number): number[] =>
      Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, n) => fromMs + n * stepMs);
    fc.assert(
      fc.property(anyHours, anyInstant, (each, fromMs) => {
        const opening = opensAt(each, fromMs);
        if (opening === null) throw new Error('the calling hours never open');
        expect(isOpen(each, opening)).toBe(true);
        const step = Math.max(minute, Math.ceil((opening - fromMs) / 400 / minute) * minute);
        // One expectation per loop: thousands of them take most of the time.
        expect(instants(fromMs, opening, step).filter((atMs) => isOpen(each, atMs))).toEqual([]);
        if (opening > fromMs) expect(isOpen(each, opening - 1)).toBe(false);
        const closing = closesAt(each, opening);
        expect(isOpen(each, closing)).toBe(false);
        expect(instants(opening, closing, 5 * minute).filter((atMs) => !isOpen(each, atMs))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
