import { describe, expect, it } from 'vitest';
import { countIn, fieldsOf, itemsOf, parseFields, stringsOf } from '../../src/shared/json.ts';

const others = [undefined, null, 0, 7, true, 'text', '', [], [{}]];

describe('fieldsOf', () => {
  it('returns a copy of an object', () => {
    const fields = { a: 1 };
    expect(fieldsOf(fields)).toEqual(fields);
    expect(fieldsOf(fields)).not.toBe(fields);
  });

  it.each(others)('returns undefined for %j', (value) => {
    expect(fieldsOf(value)).toBeUndefined();
  });
});

describe('parseFields', () => {
  it.each(['', '{', 'null', '[]', '7', '"text"', '{"a":1}}', '\u0000'])('returns undefined for %j', (text) => {
    expect(parseFields(text)).toBeUndefined();
  });

  it('reads an object with a name that JavaScript uses', () => {
    const fields = parseFields('{"__proto__":{"polluted":true},"a":1}');
    expect(fields?.a).toBe(1);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('countIn', () => {
  it.each<[unknown, number | undefined]>([
    [0, 0],
    [12, 12],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['12', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(countIn({ count: value }, 'count')).toBe(expected);
  });

  it('returns undefined without an object', () => {
    expect(countIn(undefined, 'count')).toBeUndefined();
  });
});

describe('lists', () => {
  it.each([undefined, null, 'text', {}, 7])('are empty for %j', (value) => {
    expect(itemsOf(value)).toEqual([]);
    expect(stringsOf(value)).toEqual([]);
  });

  it('have only the strings', () => {
    expect(stringsOf(['a', 1, null, 'b', {}])).toEqual(['a', 'b']);
  });
});
