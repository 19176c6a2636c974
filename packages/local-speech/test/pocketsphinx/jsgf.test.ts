import { describe, expect, it } from 'vitest';
import { grammarWords, phrasesGrammar, spokenWords } from '../../src/pocketsphinx/jsgf.ts';

describe('words of a grammar', () => {
  it('exclude everything that is not spoken', () => {
    const grammar = `#JSGF V1.0 UTF-8 en;
      /* public comment */ grammar com.example.orders;
      // another one
      public <order> = [please] /0.7/ order {verb} <count>+ | <NULL> "new" york*;
      <count> = one | two;`;
    expect(grammarWords(grammar).sort()).toEqual(['new', 'one', 'order', 'please', 'two', 'york']);
  });

  it('exclude a comment behind a rule', () => {
    expect(grammarWords('public <s> = yes | // or\r\n no; // both = all\n')).toEqual(['yes', 'no']);
  });

  it.each([
    ['an empty grammar', ''],
    ['a grammar without a rule', '#JSGF V1.0;\ngrammar spoken;\n'],
    ['an import', 'import <com.example.dates.*>;'],
    ['special rules', 'public <s> = <NULL> | <VOID>;'],
  ])('are none in %s', (_, grammar) => {
    expect(grammarWords(grammar)).toEqual([]);
  });

  it('include a word named public, but not the keyword', () => {
    expect(grammarWords('public <s> = the public library;')).toEqual(['the', 'public', 'library']);
  });
});

// Security: parsing once took time quadratic in the length of the grammar.
describe('hostile grammar', () => {
  it.each(['{', '<', '/*', '//', '/1', '#JSGF', 'import <', 'public '])('of only %j takes linear time', (part) => {
    expect(grammarWords(part.repeat(200_000)).length).toBeLessThan(10);
  });
});

describe('phrases', () => {
  it('are spoken in lower case, without punctuation but with apostrophes', () => {
    expect(spokenWords("Yes, I'd like 'that' – please!")).toEqual(['yes', "i'd", 'like', 'that', 'please']);
  });

  it('become the alternatives of one rule', () => {
    expect(phrasesGrammar(['Yes.', '!', 'No, thanks'])).toContain('public <phrase> = yes | no thanks;');
  });
});
