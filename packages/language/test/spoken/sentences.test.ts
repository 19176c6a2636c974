import { describe, expect, it } from 'vitest';
import { closingSentence } from '../../src/spoken/closing-sentence.ts';
import { sampleSentence } from '../../src/spoken/sample-sentence.ts';

describe.each([
  ['closingSentence', closingSentence],
  ['sampleSentence', sampleSentence],
])('%s', (_, sentence) => {
  it('has a sentence of its own for each language of the package', () => {
    const made = ['en', 'nl', 'de', 'fr', 'es', 'it', 'pt', 'ru'].map((tag) => sentence(tag));
    expect(new Set(made).size).toBe(8);
  });

  it('ignores the region and the case of the tag', () => {
    expect(sentence('NL-be')).toBe(sentence('nl'));
    expect(sentence('pt_BR')).toBe(sentence('pt'));
  });

  it('is English for an unknown language and without a tag', () => {
    expect(sentence('pl')).toBe(sentence('en'));
    expect(sentence(undefined)).toBe(sentence('en'));
    expect(sentence('en')).toMatch(/^[A-Z].*[.?]$/);
  });
});
