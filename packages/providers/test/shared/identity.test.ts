import { describe, expect, it } from 'vitest';
import { identityOf } from '../../src/shared/identity.ts';

const catalog = {
  id: 'acme',
  name: 'Acme',
  category: 'stt',
  docsUrl: 'https://acme.test',
  models: [],
  voices: [],
} as const;
const defaults = { id: 'acme_live', vendor: 'acme', catalog: { ...catalog, models: [], voices: [] } };
const own = { ...defaults.catalog, id: 'own' };

describe('identityOf', () => {
  it.each([
    ['without options', {}, { id: 'acme_live', vendor: 'acme', catalog: defaults.catalog }],
    ['with an id', { id: 'mine' }, { id: 'mine', vendor: 'mine' }],
    [
      'with an id and the vendor',
      { id: 'mine', vendor: 'acme' },
      { id: 'mine', vendor: 'acme', catalog: defaults.catalog },
    ],
    ['with another vendor', { vendor: 'other' }, { id: 'acme_live', vendor: 'other' }],
    ['with a catalog entry', { id: 'mine', catalog: own }, { id: 'mine', vendor: 'mine', catalog: own }],
  ])('names a provider %s', (_, options, expected) => {
    expect(identityOf(options, defaults)).toEqual(expected);
  });
});
