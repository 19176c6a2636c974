import { ProviderError } from '@va/core';
import { z } from 'zod';
import { lexiconOf } from './dictionary.ts';
import { grammarWords, jsgfDocument, phrasesGrammar, spokenWords } from './jsgf.ts';

/** Settings of `stt_config` in addition to the common ones. */
export const vocabularySchema = z.object({
  /** JSGF: a whole document, or only its rules. */
  grammar: z.string().min(1).max(20_000).optional(),
  /** Whole utterances, any one of which may be said. */
  phrases: z.array(z.string().max(500)).max(500).optional(),
});

/** Vocabulary of one stream. */
export interface Vocabulary {
  readonly jsgf: string;
  readonly dictionary: string;
}

function refuse(message: string): never {
  throw new ProviderError('pocketsphinx', 'invalid_request', message);
}

/**
 * Reads `grammar` or `phrases` of an `stt_config`; without either, the call's hints are used.
 * @throws ProviderError `invalid_request` for another shape, for an empty vocabulary, and for words without a
 *   pronunciation
 */
export function vocabularyOf(config: Record<string, unknown>, hints: readonly string[]): Vocabulary {
  const parsed = vocabularySchema.safeParse(config);
  if (!parsed.success) refuse(`stt_config is invalid: ${z.prettifyError(parsed.error)}`);
  const { grammar, phrases = hints } = parsed.data;
  if (grammar === undefined && phrases.every((phrase) => spokenWords(phrase).length === 0)) {
    refuse('stt_config needs a grammar (JSGF) or phrases: PocketSphinx hears nothing else.');
  }
  const jsgf = grammar === undefined ? phrasesGrammar(phrases) : jsgfDocument(grammar);
  const { dictionary, unknown } = lexiconOf(grammarWords(jsgf));
  if (unknown.length > 0) {
    const words = unknown.map((word) => `"${word}"`).join(', ');
    refuse(`the dictionary has no pronunciation of ${words}; write it in lower-case words of the CMU dictionary.`);
  }
  return { jsgf, dictionary };
}
