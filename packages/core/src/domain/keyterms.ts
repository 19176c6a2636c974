import { z } from 'zod';

const maxTerms = 100;
const maxTermCharacters = 100;
/** Deepgram refuses more than 500 tokens; a token is four characters on average. */
const maxCharacters = 2_000;

/**
 * Words and phrases that the recognizer should expect, such as names of products and people. `{{name}}` stands for a variable of
 * the call.
 */
export const keytermsSchema = z
  .array(z.string().trim().min(1).max(maxTermCharacters))
  .max(maxTerms)
  .refine((terms) => terms.join('').length <= maxCharacters, {
    message: `the key terms must not exceed ${maxCharacters} characters in all (500 tokens, the limit of Deepgram)`,
  });
