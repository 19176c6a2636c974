import { z } from 'zod';

const maxMessageCharacters = 100_000;
const maxCharacters = 200_000;
const maxMessages = 100;

/**
 * Messages of a prompt: at most 100,000 characters each and 200,000 together, because every turn sends them to the
 * model.
 */
export const promptMessagesSchema = z
  .array(z.strictObject({ role: z.string().max(100), content: z.string().max(maxMessageCharacters) }))
  .max(maxMessages)
  .refine((messages) => messages.reduce((sum, { content }) => sum + content.length, 0) <= maxCharacters, {
    message: `has more than ${maxCharacters} characters in all its messages`,
  })
  .default([]);
