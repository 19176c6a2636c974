import { describe, expect, it } from 'vitest';
import { fieldsOf, numberOf, parsed, textOf } from '../../../src/shared/web/fields.ts';
import { escapedXml } from '../../../src/shared/web/xml.ts';

it.each(['', 'x', '1', '"text"', 'null', 'true', '{"a":'])('parsed › returns null for %j', (text) => {
  expect(parsed(text)).toBeNull();
});

it('parsed › does not let a message replace the prototype', () => {
  const fields = parsed('{"__proto__":{"event":"start"},"a":1}');
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  expect(fields?.event).toBeUndefined();
});

it.each([null, undefined, 'text', 7, true])('fieldsOf › has no fields for %j', (value) => {
  expect(fieldsOf(value)).toEqual({});
});

describe('numberOf', () => {
  it.each([
    [0, 0],
    ['0', 0],
    ['-1.5', -1.5],
    [' 12 ', 12],
  ])('reads %j', (value, number) => {
    expect(numberOf(value)).toBe(number);
  });

  it.each(['', ' ', '\n', 'x', '1x', 'NaN', 'Infinity', Number.NaN, Number.POSITIVE_INFINITY, null, true, [1], {}])(
    'returns null for %j',
    (value) => {
      expect(numberOf(value)).toBeNull();
    },
  );
});

it('textOf › refuses text beyond its limit, and other types', () => {
  expect([textOf('abc', 3), textOf('abcd', 3), textOf('', 3)]).toEqual(['abc', null, '']);
  expect([1, null, {}, ['a']].map((value) => textOf(value))).toEqual([null, null, null, null]);
});

it('escapedXml › escapes what could end an attribute or element', () => {
  expect(escapedXml(`"><Dial>'&amp;`)).toBe('&quot;&gt;&lt;Dial&gt;&apos;&amp;amp;');
});
