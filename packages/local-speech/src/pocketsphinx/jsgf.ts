/** Written punctuation that is not spoken. An apostrophe inside a word is part of it. */
const punctuation = /[^\p{L}\p{N}'\s]+|(?<!\p{L})'|'(?!\p{L})/gu;

/** Text as the dictionary writes it: lower case, words apart by one space. */
export function spokenWords(text: string): string[] {
  return text.toLowerCase().replace(punctuation, ' ').split(/\s+/).filter(Boolean);
}

/** A grammar that accepts any one of the phrases. */
export function phrasesGrammar(phrases: readonly string[]): string {
  const alternatives = phrases.map(spokenWords).filter((words) => words.length > 0);
  return jsgfDocument(`public <phrase> = ${alternatives.map((words) => words.join(' ')).join(' | ')};`);
}

/** Adds the header to a grammar that consists of rules alone. */
export function jsgfDocument(rules: string): string {
  return rules.trimStart().startsWith('#JSGF') ? rules : `#JSGF V1.0;\ngrammar spoken;\n${rules}\n`;
}

/** What in a grammar is not a word: comments, header, rule names, tags, weights, operators. */
const syntax =
  /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|#JSGF[^;]*;|\bgrammar\s+[^;]+;|\bimport\s*<[^>]*>\s*;|\bpublic\b(?=\s*<)|<[^>]*>|\{[^}]*\}|\/[\d.]+\/|[()[\]|*+=;"]/gm;

/**
 * The words that a grammar can hear.
 * @see JSpeech Grammar Format 1.0 §4
 */
export function grammarWords(jsgf: string): string[] {
  return [...new Set(jsgf.replace(syntax, ' ').split(/\s+/).filter(Boolean))];
}
