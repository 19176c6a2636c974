import { describe, expect, it } from 'vitest';
import { allProviders, hasProviderKeys, hostedProviders } from '../../src/providers.ts';

const idsOf = (providers: readonly { readonly id: string }[]): string[] => providers.map(({ id }) => id);

// Security: tenants could have the process run their regular expressions and grammars.
describe('the providers of va serve', () => {
  it('are the hosted ones, unless local speech is asked for', () => {
    expect(idsOf(hostedProviders())).not.toEqual(expect.arrayContaining(['scripted']));
    expect(idsOf(hostedProviders())).not.toEqual(expect.arrayContaining(['pocketsphinx']));
    expect(idsOf(allProviders())).toEqual(expect.arrayContaining(['scripted', 'pocketsphinx', 'flite']));
  });
});

describe('hasProviderKeys', () => {
  const keys = { OPENAI_API_KEY: 'a', DEEPGRAM_API_KEY: 'b', ELEVENLABS_API_KEY: 'c' };

  it('is true if the keys of all providers of the hosted demo are set', () => {
    expect(hasProviderKeys(keys)).toBe(true);
    for (const name of Object.keys(keys)) {
      expect(hasProviderKeys({ ...keys, [name]: undefined }), name).toBe(false);
      expect(hasProviderKeys({ ...keys, [name]: '' }), name).toBe(false);
    }
  });
});
