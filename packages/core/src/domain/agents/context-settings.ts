import { z } from 'zod';

/** The share of a long conversation that the model gets. A token is estimated as four characters. */
export const contextSettingsSchema = z.strictObject({
  /**
   * Maximum tokens of the turns and the summary of earlier ones. System prompt, tools, injected context and the current
   * turn are always complete and not counted.
   */
  max_tokens: z.int().min(500).max(1_000_000).default(8_000),
  /** Number of the caller's latest turns, with their replies, that are not summarized if they fit. */
  keep_last_turns: z.int().min(1).max(100).default(6),
  /** True: the model summarizes older turns; false: they are dropped when there is no room. */
  summarize: z.boolean().default(true),
});

/** How much of a conversation the language model receives. */
export type ContextSettings = z.infer<typeof contextSettingsSchema>;

/** The settings of an agent that has none. */
export const defaultContextSettings: ContextSettings = contextSettingsSchema.parse({});
