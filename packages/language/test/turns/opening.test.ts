import { describe, expect, it } from 'vitest';
import { isOpening } from '../../src/turns/completeness.ts';

describe('isOpening', () => {
  it.each([
    ['If you like', 'en'],
    ['If you like.', 'en'],
    ['For two people', 'en'],
    ['Yes. When I come home.', 'en'],
    ['No! Because of the rain…', 'en'],
    ['Wenn es geht.', 'de'],
    ['Als het kan', 'nl'],
    ['Si vous voulez.', 'fr'],
  ])('is true of a clause before its main clause: %j (%s)', (text, language) => {
    expect(isOpening(text, language)).toBe(true);
  });

  it.each([
    ['If you like, we can call.', 'en'],
    ['We can call if you like.', 'en'],
    ['If you like. We can call.', 'en'],
    ['Iffy', 'en'],
    ['Wenn es geht.', 'en'],
    ['', 'en'],
    ['...', 'en'],
  ])('is false of %j (%s)', (text, language) => {
    expect(isOpening(text, language)).toBe(false);
  });

  it('examines the end of a long text only', () => {
    expect(isOpening(`${'We can call. '.repeat(50)}If you like`, 'en')).toBe(true);
    // The comma stands more than 300 characters before the end.
    expect(isOpening(`If you like, ${'a '.repeat(200)}`, 'en')).toBe(false);
  });
});
