import { describe, expect, it } from 'vitest';
import { lexiconOf } from '../../src/pocketsphinx/dictionary.ts';
import { vocabularyOf } from '../../src/pocketsphinx/vocabulary.ts';

const linesOf = (dictionary: string): string[] => dictionary.trimEnd().split('\n');

describe('lexiconOf', () => {
  it('has each pronunciation of a word, and no other word', () => {
    const { dictionary, unknown } = lexiconOf(['table', 'either']);
    const words = linesOf(dictionary).map((line) => line.split(' ')[0]);
    expect(new Set(words)).toEqual(new Set(['table', 'either', 'either(2)']));
    expect([linesOf(dictionary)[0], unknown]).toEqual(['table T EY B AH L', []]);
  });

  it.each(['zorbl', '4', 'Table', 'tabl', ''])('does not know %j', (word) => {
    expect(lexiconOf(['table', word]).unknown).toEqual([word]);
  });
});

describe('vocabularyOf', () => {
  it('prefers phrases to the hints of the call', () => {
    const { dictionary } = vocabularyOf({ phrases: ['next week'] }, ['tomorrow']);
    expect(dictionary).toContain('week');
    expect(dictionary).not.toContain('tomorrow');
    expect(vocabularyOf({}, ['tomorrow']).dictionary).toContain('tomorrow');
  });

  it('prefers a grammar to phrases', () => {
    const { jsgf, dictionary } = vocabularyOf({ grammar: 'public <s> = yes | no;', phrases: ['next week'] }, []);
    expect(jsgf).toContain('public <s> = yes | no;');
    expect(dictionary).not.toContain('week');
    expect(vocabularyOf({ grammar: 'public <s> = yes;' }, []).jsgf).toContain('public <s> = yes;');
  });

  it.each([
    ['no phrases', {}, [], /needs a grammar/],
    ['phrases without words', { phrases: ['…', '  '] }, ['tomorrow'], /needs a grammar/],
    ['words without a pronunciation', { phrases: ['zorbl', 'blurg'] }, [], /"zorbl", "blurg"/],
    ['an empty grammar', { grammar: '' }, [], /grammar/],
    ['more than 500 phrases', { phrases: Array(501).fill('yes') }, [], /phrases/],
  ])('refuses %s', (_, config, hints, message) => {
    expect(() => vocabularyOf(config, hints)).toThrow(
      expect.objectContaining({ fault: 'invalid_request', message: expect.stringMatching(message) }),
    );
  });
});
