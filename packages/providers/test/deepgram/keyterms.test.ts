import { describe, expect, it } from 'vitest';
import { fittingKeyterms, keytermQuery, takesKeyterms } from '../../src/deepgram/keyterms.ts';

describe('fittingKeyterms', () => {
  it('keeps the terms up to 500 tokens of three characters', () => {
    const terms = Array.from({ length: 60 }, (_, at) => String(at).padStart(30, 'x'));
    expect(fittingKeyterms(terms)).toEqual(terms.slice(0, 50));
  });

  it('leaves out only the term that is too long', () => {
    expect(fittingKeyterms(['Roma', 'x'.repeat(1_600), 'ossobuco'])).toEqual(['Roma', 'ossobuco']);
  });

  it('keeps at most 100 terms', () => {
    expect(fittingKeyterms(Array(150).fill('a'))).toHaveLength(100);
  });

  it('leaves out blank terms', () => {
    expect(fittingKeyterms(['', ' ', 'Roma'])).toEqual(['Roma']);
  });
});

describe('keytermQuery', () => {
  it.each([
    ['nova-3', [], {}],
    ['nova-3', ['Trattoria Roma'], { keyterm: ['Trattoria Roma'] }],
    ['flux-general-multi', ['Trattoria Roma'], { keyterm: ['Trattoria Roma'] }],
    ['nova-2', ['Trattoria Roma', ' Roma '], { keywords: ['Trattoria', 'Roma'] }],
  ])('returns the parameter of %s for %j', (model, terms, expected) => {
    expect(keytermQuery(model, terms)).toEqual(expected);
  });
});

it.each([
  ['nova-3-medical', true],
  ['flux-general-en', true],
  ['nova-2', false],
  ['enhanced', false],
])('takesKeyterms of %s is %s', (model, expected) => {
  expect(takesKeyterms(model)).toBe(expected);
});
