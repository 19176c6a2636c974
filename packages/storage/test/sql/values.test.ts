import { expect, it } from 'vitest';
import { parseInstant } from '../../src/sql/values.ts';

it.each([
  ['2026-05-01 12:00:00+00', '2026-05-01T12:00:00.000Z'],
  ['2026-05-01 12:00:00.1+00', '2026-05-01T12:00:00.100Z'],
  ['2026-05-01 12:00:00.012+00', '2026-05-01T12:00:00.012Z'],
  ['2026-05-01 12:00:00.123456+00', '2026-05-01T12:00:00.123Z'],
  ['2026-05-01 14:00:00.5+02', '2026-05-01T12:00:00.500Z'],
  ['2026-05-01 17:30:00+05:30', '2026-05-01T12:00:00.000Z'],
  ['2026-04-30 23:30:00.999-12:30', '2026-05-01T12:00:00.999Z'],
  ['1971-01-01 00:15:30-00:44:30', '1971-01-01T01:00:00.000Z'],
])('reads %s', (text, instant) => {
  expect(parseInstant(text)).toBe(instant);
});

it.each(['Fri 01 May 12:00:00 2026 UTC', '01.05.2026 12:00:00 UTC', 'infinity', ''])('refuses %j', (text) => {
  expect(() => parseInstant(text)).toThrow(expect.objectContaining({ code: 'unreadable_timestamp' }));
});
