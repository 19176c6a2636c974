import { describe, expect, it } from 'vitest';
import { findUnstorable } from '../../src/input/unstorable.ts';

/** An array in an array, `levels` deep. */
function nested(levels: number): unknown {
  let value: unknown = 'innermost';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe('findUnstorable', () => {
  it.each([
    ['a number', 1],
    ['null', null],
    ['undefined', undefined],
    ['an empty object', {}],
    ['a text with other control characters', 'a\u0001\n\u007f'],
    ['a text with a surrogate pair', 'Grüße \u{1F600}'],
    ['nested texts', { a: [{ b: 'c' }] }],
    ['64 levels', nested(64)],
  ])('accepts %s', (_case, input) => {
    expect(findUnstorable(input)).toBeNull();
  });

  it.each([
    ['U+0000', 'a\0b', ''],
    ['a high surrogate without its low one', 'a\ud83d', ''],
    ['a low surrogate without its high one', '\ude00b', ''],
    ['a surrogate pair in the wrong order', '\ude00\ud83d', ''],
    ['U+0000 in a field', { name: '\0' }, 'name'],
    ['U+0000 in an item of a list', { tools: [{}, { name: '\0' }] }, 'tools.1.name'],
  ])('returns the path of a text with %s', (_case, input, path) => {
    expect(findUnstorable(input)).toEqual({
      path,
      code: 'invalid_field',
      message: 'must not contain U+0000 or a lone surrogate',
    });
  });

  it.each([
    ['U+0000', { metadata: { 'a\0': 1 } }],
    ['a lone surrogate', { metadata: { '\ud800': 1 } }],
  ])('returns the path of the object, not the key, for a key with %s', (_case, input) => {
    expect(findUnstorable(input)).toMatchObject({
      path: 'metadata',
      message: 'must not have U+0000 or a lone surrogate in a key',
    });
  });

  it('refuses more than 64 levels', () => {
    expect(findUnstorable(nested(65))?.message).toBe('must not be nested deeper than 64 levels');
  });

  it('refuses a depth that would exhaust the stack of a recursive search', () => {
    expect(findUnstorable({ variables: nested(200_000) })?.path).toMatch(/^variables\.0\.0/);
  });
});
