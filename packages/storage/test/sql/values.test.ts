import { describe, expect, it } from 'vitest';
import { parseInstant, parserOf, toParameter } from '../../src/sql/values.ts';

describe('parseInstant', () => {
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
});

describe('toParameter', () => {
  it.each([
    ['null', null, null],
    ['undefined', undefined, null],
    ['a text', 'a', 'a'],
    ['a number', 1.5, '1.5'],
    ['a boolean', false, 'false'],
    ['a date', new Date('2026-05-01T12:00:00.000Z'), '2026-05-01T12:00:00.000Z'],
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['an array', ['a', null, 'b c'], '{"a",NULL,"b c"}'],
    ['quotes and backslashes in an array', ['"', '\\'], '{"\\"","\\\\"}'],
    ['nested arrays', [[1, 2], [3]], '{{"1","2"},{"3"}}'],
    ['bytes in an array', [new Uint8Array([0, 255])], '{"\\\\x00ff"}'],
    ['an empty array', [], '{}'],
  ])('writes %s', (_name, value, expected) => {
    expect(toParameter(value)).toEqual(expected);
  });

  it('passes on the bytes of a view alone', () => {
    expect(toParameter(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toEqual(Buffer.from([2, 3]));
  });
});

describe('parserOf', () => {
  it.each([
    ['bool', 16, 't', true],
    ['bool', 16, 'f', false],
    ['int8', 20, '9007199254740991', 9_007_199_254_740_991],
    ['int4', 23, '-5', -5],
    ['json', 114, '{"a":1}', { a: 1 }],
    ['jsonb', 3802, '[null]', [null]],
    ['float8', 701, '1e-7', 1e-7],
    ['numeric', 1700, '12.50', 12.5],
    ['timestamptz', 1184, '2026-05-01 12:00:00+00', '2026-05-01T12:00:00.000Z'],
    ['uuid', 2950, 'b', 'b'],
    ['text', 25, '1', '1'],
  ])('reads %s of the type %i', (_name, oid, text, value) => {
    expect(parserOf(oid)(text)).toEqual(value);
  });
});
