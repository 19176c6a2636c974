import { z } from 'zod';

const maxTerms = 100;
const maxTermCharacters = 100;
/** Deepgram accepts 500 tokens; a token of a name is about three characters. */
const maxCharacters = 1_500;

/**
 * Words and phrases that the recognizer should expect, such as names of products and people. `{{name}}` is replaced by
 * a variable of the call.
 */
export const keytermsSchema = z
  .array(z.string().trim().min(1).max(maxTermCharacters))
  .max(maxTerms)
  .refine((terms) => terms.join('').length <= maxCharacters, {
    message: `the key terms must not exceed ${maxCharacters} characters in all (500 tokens, the limit of Deepgram)`,
  });
