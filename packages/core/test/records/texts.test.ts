import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/records/group-by.ts';
import { JsonText } from '../../src/records/json-text.ts';
import { storable } from '../../src/records/storable.ts';
import { hasWords, wordsOf } from '../../src/records/words.ts';

describe('storable', () => {
  it.each([
    ['U+0000', 'a\0b\0', 'a\ufffdb\ufffd'],
    ['a lone high surrogate', 'a\ud83db', 'a\ufffdb'],
    ['a lone low surrogate', '\ude00', '\ufffd'],
  ])('replaces %s', (_case, text, expected) => {
    expect(storable(text)).toBe(expected);
  });

  it('keeps surrogate pairs beside replaced characters', () => {
    expect(storable('\u{1F600}\ud83d\u{1F600}')).toBe('\u{1F600}\ufffd\u{1F600}');
  });

  it('cleans keys and values at any depth', () => {
    const value = { list: [{ 'k\0': 'v\0' }], count: 1, none: null, missing: undefined, is: true };
    expect(storable(value)).toStrictEqual({
      list: [{ 'k\ufffd': 'v\ufffd' }],
      count: 1,
      none: null,
      missing: undefined,
      is: true,
    });
  });

  it('leaves the original unchanged', () => {
    const value = { inner: { text: '\0' } };
    storable(value);
    expect(value).toEqual({ inner: { text: '\0' } });
  });

  it('cleans the value of JSON that is kept as text', () => {
    expect(storable({ body: new JsonText('{"a":"b\\u0000"}') })).toEqual({ body: { a: 'b\ufffd' } });
  });
});

describe('JsonText', () => {
  it('is stringified as its value, and converted to its text', () => {
    const json = new JsonText('{ "a": 1 }');
    expect(JSON.stringify({ json })).toBe('{"json":{"a":1}}');
    expect(String(json)).toBe('{ "a": 1 }');
  });
});

describe('wordsOf', () => {
  it.each([
    ['Call me: BACK, at 9!', ['call', 'me', 'back', 'at', '9']],
    ["don't re-dial", ['don', 't', 're', 'dial']],
    ['Größe crème हिन्दी', ['größe', 'crème', 'हिन्दी']],
    ['cafe\u0301', ['cafe\u0301']],
    ['+31612345678', ['31612345678']],
    ['…  —', []],
    ['', []],
  ])('returns the words of %j in lower case', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('hasWords', () => {
  const text = wordsOf('The invoice of March is unpaid');

  it.each([[[]], [['invoice']], [['unpaid', 'invoice']], [['march', 'inv']], [['unpa']], [['the', 'the']]])(
    'finds %j in any order, the last one as the beginning of a word',
    (words) => {
      expect(hasWords(text, words)).toBe(true);
    },
  );

  it.each([[['april']], [['inv', 'march']], [['march', 'april']], [['nvoice']]])('does not find %j', (words) => {
    expect(hasWords(text, words)).toBe(false);
  });
});

describe('groupBy', () => {
  it('keeps the order of the items, and of the keys by their first items', () => {
    const groups = groupBy([3, 1, 4, 1, 5, 9, 2, 6], (n) => (n % 2 === 0 ? 'even' : 'odd'));
    expect([...groups]).toEqual([
      ['odd', [3, 1, 1, 5, 9]],
      ['even', [4, 2, 6]],
    ]);
  });

  it('returns no groups if there are no items', () => {
    expect(groupBy([], String).size).toBe(0);
  });
});
