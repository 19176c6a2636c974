import { z } from 'zod';

/** Limits of the conversation that each request to the model contains. A token is estimated as four characters. */
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

/** Limits of the conversation that the language model receives. */
export type ContextSettings = z.infer<typeof contextSettingsSchema>;

/** Settings of an agent without `llm_config.context`. */
export const defaultContextSettings: ContextSettings = contextSettingsSchema.parse({});
