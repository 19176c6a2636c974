import { describe, expect, it } from 'vitest';
import { allProviders, hostedProviders } from '../../src/providers.ts';

const idsOf = (providers: readonly { readonly id: string }[]): string[] => providers.map(({ id }) => id);

// Security: tenants could have the process run their regular expressions and grammars.
describe('the providers of va serve', () => {
  it('are the hosted ones, unless local speech is asked for', () => {
    expect(idsOf(hostedProviders())).not.toEqual(expect.arrayContaining(['scripted']));
    expect(idsOf(hostedProviders())).not.toEqual(expect.arrayContaining(['pocketsphinx']));
    expect(idsOf(allProviders())).toEqual(expect.arrayContaining(['scripted', 'pocketsphinx', 'flite']));
  });
});
