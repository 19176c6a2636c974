// @vitest-environment happy-dom
import { describe, expect, it, onTestFinished } from 'vitest';
import { filterOf, toCallQuery } from '../../../src/app/pages/calls/call-query.ts';
import { endOfDay, startOfDay } from '../../../src/app/pages/calls/local-days.ts';

function inZone(zone: string): void {
  const before = process.env.TZ;
  process.env.TZ = zone;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
}

describe('local days', () => {
  it.each([
    ['Europe/Amsterdam', '2026-03-28', '2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z'],
    // Summer time begins: the day has 23 hours.
    ['Europe/Amsterdam', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    // Summer time ends: the day has 25 hours.
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['Asia/Kathmandu', '2026-12-31', '2026-12-30T18:15:00.000Z', '2026-12-31T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2024-02-29', '2024-02-28T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
  ])('in %s start and end %s', (zone, day, start, end) => {
    inZone(zone);
    expect([startOfDay(day), endOfDay(day)]).toEqual([start, end]);
  });

  it.each([
    undefined,
    '',
    'today',
    '2026-3-1',
    '2026-03-01T00:00',
    ' 2026-03-01',
    '2026-02-31',
    '2026-13-01',
    '2026-00-10',
  ])('refuse %j', (text) => {
    expect([startOfDay(text), endOfDay(text)]).toEqual([null, null]);
  });
});

describe('the filter of the call list', () => {
  it('takes known, non-empty parameters of the URL only', () => {
    expect(filterOf({ q: 'table', status: '', offset: '50', constructor: 'x', phone: '+31' })).toEqual({
      q: 'table',
      phone: '+31',
    });
  });

  it('sends instants for days and omits days that cannot be read', () => {
    inZone('UTC');
    expect(toCallQuery({ from: '2026-01-01', to: '2026-01-31', agent_id: 'a' })).toEqual({
      agent_id: 'a',
      start_date: '2026-01-01T00:00:00.000Z',
      end_date: '2026-02-01T00:00:00.000Z',
    });
    expect(toCallQuery({ from: 'x', to: '2026-01' })).toEqual({});
  });
});
