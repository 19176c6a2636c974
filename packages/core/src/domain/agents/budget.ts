import { z } from 'zod';

/** Limit of what a call may cost. */
export const budgetSchema = z.strictObject({
  /** In the currency of the service. Once a call has cost this much, its agent says `message` and hangs up. */
  max_cost: z.number().positive().max(1e6),
  /** Share of `max_cost` at which the call gets an event `budget` with the level `warning`. */
  warn_at: z.number().gt(0).max(1).default(0.8),
  /** Said before the agent hangs up; null for a sentence in the language of the agent. Placeholders are filled. */
  message: z.string().trim().min(1).max(1_000).nullable().default(null),
});

/** The most that a call may cost, and what its agent says when that is reached. */
export type Budget = z.infer<typeof budgetSchema>;
