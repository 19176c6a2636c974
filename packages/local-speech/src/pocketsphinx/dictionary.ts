import { brotliDecompressSync } from 'node:zlib';
import { readAsset } from '../package-files.ts';

let cmudict: string | undefined;
/** Cached lookups: a search through all 3 MB takes milliseconds, too long to repeat at the start of each call. */
const found = new Map<string, readonly string[]>();

/** Returns the lines of the pronouncing dictionary that begin with `word`, or with a variant such as `word(2)`. */
function pronunciations(word: string): readonly string[] {
  const known = found.get(word);
  if (known !== undefined) return known;
  // A leading line break lets every entry be found by the break before it.
  cmudict ??= `\n${brotliDecompressSync(readAsset('cmudict-en-us.dict.br')).toString('utf8')}`;
  const lines: string[] = [];
  for (const start of [`\n${word} `, `\n${word}(`]) {
    for (let at = cmudict.indexOf(start); at >= 0; at = cmudict.indexOf(start, at + 1)) {
      const end = cmudict.indexOf('\n', at + 1);
      lines.push(cmudict.slice(at + 1, end < 0 ? undefined : end).trimEnd());
    }
  }
  if (lines.length > 0) found.set(word, lines);
  return lines;
}

export interface Lexicon {
  /** In the decoder's format: a word and its phones per line. */
  readonly dictionary: string;
  readonly unknown: readonly string[];
}

/** Returns the part of the CMU pronouncing dictionary that `words` need. */
export function lexiconOf(words: readonly string[]): Lexicon {
  const entries = words.map((word) => ({ word, lines: pronunciations(word) }));
  return {
    dictionary: `${entries.flatMap(({ lines }) => lines).join('\n')}\n`,
    unknown: entries.filter(({ lines }) => lines.length === 0).map(({ word }) => word),
  };
}
