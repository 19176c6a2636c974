/** Punctuation that is not spoken. An apostrophe inside a word is part of it. */
const punctuation = /[^\p{L}\p{N}'\s]+|(?<!\p{L})'|'(?!\p{L})/gu;

/** Normalizes text to the form of the dictionary: lower case, words separated by one space. */
export function spokenWords(text: string): string[] {
  return text.toLowerCase().replace(punctuation, ' ').split(/\s+/).filter(Boolean);
}

/** Builds a grammar that accepts any one of the phrases. */
export function phrasesGrammar(phrases: readonly string[]): string {
  const alternatives = phrases.map(spokenWords).filter((words) => words.length > 0);
  return jsgfDocument(`public <phrase> = ${alternatives.map((words) => words.join(' ')).join(' | ')};`);
}

/** Adds the header to a grammar that consists of rules only. */
export function jsgfDocument(rules: string): string {
  return rules.trimStart().startsWith('#JSGF') ? rules : `#JSGF V1.0;\ngrammar spoken;\n${rules}\n`;
}

/** Operators, and weights such as `/0.7/`. */
const operators = /\/[\d.]+\/|[()[\]|*+="]/g;

/**
 * Returns the words that a grammar can recognize, in time linear in its length.
 * @see JSpeech Grammar Format 1.0 §4
 */
export function grammarWords(jsgf: string): string[] {
  const lines = without(jsgf, '/*', '*/').split('\n');
  const rules = lines.map((line) => line.split('//', 1)[0] ?? '').join('\n');
  const words = without(rules, '{', '}').split(';').flatMap(statementWords);
  return [...new Set(words)];
}

function statementWords(statement: string): string[] {
  const text = statement.trim();
  if (text.startsWith('#JSGF') || /^grammar\s/.test(text) || /^import\s*</.test(text)) return [];
  const expansion = /^public\s*</.test(text) ? text.slice('public'.length) : text;
  return without(expansion, '<', '>').replace(operators, ' ').split(/\s+/).filter(Boolean);
}

/** Replaces each part between two delimiters by a space. An unclosed part is kept. */
function without(text: string, open: string, close: string): string {
  let rest = '';
  let end = 0;
  for (;;) {
    const start = text.indexOf(open, end);
    const closing = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (closing < 0) return rest + text.slice(end);
    rest += `${text.slice(end, start)} `;
    end = closing + close.length;
  }
}
