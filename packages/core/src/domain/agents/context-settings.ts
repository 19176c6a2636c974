import { z } from 'zod';

/** How much of a long conversation the model is given. A token is taken to be four characters. */
export const contextSettingsSchema = z.strictObject({
  /**
   * The turns and the summary of those before them take so many tokens at most. The system prompt, the tools, what was
   * injected and the turn that goes on are always whole, and not counted.
   */
  max_tokens: z.int().min(500).max(1_000_000).default(8_000),
  /** So many of the caller's last turns, with all that followed them, are not summarized where they fit in. */
  keep_last_turns: z.int().min(1).max(100).default(6),
  /** Whether the model sums older turns up; else they are left out when there is no room for them. */
  summarize: z.boolean().default(true),
});

export type ContextSettings = z.infer<typeof contextSettingsSchema>;

export const defaultContextSettings: ContextSettings = contextSettingsSchema.parse({});
