import { describe, expect, it } from 'vitest';
import { fileOf, namedValue, oneOf, wholeNumber } from '../../src/serve/option-values.ts';

const invalid = (text: string): object =>
  expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(text) });

describe('wholeNumber', () => {
  it.each([
    ['1', 1],
    ['10', 10],
    ['007', 7],
  ])('reads %j', (text, value) => {
    expect(wholeNumber('--n', text, 1, 10)).toBe(value);
  });

  it.each(['0', '11', '-1', '1.5', '1e1', '', ' 1', 'one', 'Infinity'])('refuses %j', (text) => {
    expect(() => wholeNumber('--n', text, 1, 10)).toThrow(invalid('a whole number from 1 to 10'));
  });
});

describe('oneOf', () => {
  it('accepts the listed values, and names them otherwise', () => {
    expect(oneOf('--mode', 'b', ['a', 'b'])).toBe('b');
    for (const text of ['c', '', 'A', 'constructor']) {
      expect(() => oneOf('--mode', text, ['a', 'b'])).toThrow(invalid('expected a, b'));
    }
  });
});

describe('namedValue', () => {
  it.each([
    ['a=b', ['a', 'b']],
    ['a=b=c', ['a', 'b=c']],
    ['a= ', ['a', ' ']],
  ])('splits %j', (text, expected) => {
    expect(namedValue('--x', text)).toEqual(expected);
  });

  it.each(['', 'a', 'a=', '=b', '='])('refuses %j', (text) => {
    expect(() => namedValue('--x', text)).toThrow(invalid('expected NAME=VALUE'));
  });
});

it('fileOf › names the option and the path of a file that cannot be read', () => {
  expect(() => fileOf('--tls-key', '/nowhere/key.pem')).toThrow(invalid('--tls-key /nowhere/key.pem cannot be read'));
});
