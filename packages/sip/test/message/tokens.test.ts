import { describe, expect, it } from 'vitest';
import { formatParams, isToken, parseParams, quote, splitOutside, unquote } from '../../src/message/tokens.ts';

describe('isToken (RFC 3261 §25.1)', () => {
  it.each([
    ['INVITE', true],
    ["-.!%*_+`'~", true],
    ['', false],
    ['two words', false],
    ['a=b', false],
    ['é', false],
  ])('of %j is %s', (text, expected) => {
    expect(isToken(text)).toBe(expected);
  });
});

describe('splitOutside', () => {
  it.each([
    ['a, b ,c', ',', ['a', 'b', 'c']],
    ['"a, b", c', ',', ['"a, b"', 'c']],
    ['"a\\", b", c', ',', ['"a\\", b"', 'c']],
    ['<sip:a,b>, c', ',', ['<sip:a,b>', 'c']],
    [';a;b="x;y"', ';', ['', 'a', 'b="x;y"']],
    ['', ',', ['']],
    [',', ',', ['', '']],
  ] as const)('of %j by %j returns the trimmed parts', (text, separator, parts) => {
    expect(splitOutside(text, separator)).toEqual(parts);
  });

  it.each(['"a', 'a, "b\\"', '<a, b'])('of %j returns null, because a quote or bracket is open', (text) => {
    expect(splitOutside(text, ',')).toBeNull();
  });
});

describe('quoted string', () => {
  it.each(['', 'plain', 'a "b"', 'back\\slash', '"'])('of %j is restored by unquote', (text) => {
    expect(unquote(quote(text))).toBe(text);
  });

  it.each([
    ['token', 'token'],
    ['"', '"'],
    ['"open', '"open'],
    ['"a\\b"', 'ab'],
  ])('%j without its quotes is %j', (text, expected) => {
    expect(unquote(text)).toBe(expected);
  });
});

describe('parseParams', () => {
  it.each([
    ['', []],
    ['  ', []],
    [';lr', [['lr', '']]],
    [
      ';TAG=a;q = "0.5"',
      [
        ['tag', 'a'],
        ['q', '0.5'],
      ],
    ],
    [';a=1;A=2', [['a', '1']]],
    [';received=[::1]', [['received', '[::1]']]],
  ])('reads %j', (text, params) => {
    expect([...(parseParams(text) ?? [])]).toEqual(params);
  });

  it.each(['lr', ';', ';=x', ';a b=c', ';a="open'])('rejects %j', (text) => {
    expect(parseParams(text)).toBeNull();
  });

  it('reads what formatParams writes', () => {
    const params = new Map([
      ['lr', ''],
      ['tag', 'a-1'],
      ['text', 'two "words"; more'],
    ]);
    expect(formatParams(params)).toBe(';lr;tag=a-1;text="two \\"words\\"; more"');
    expect(parseParams(formatParams(params))).toEqual(params);
  });
});
