import { z } from 'zod';
import { usageKinds } from './usage-kind.ts';

/** One item of the cost of a call. */
export const costItemSchema = z.object({
  /** Id of the provider in the host's registry; `telephony` for the minutes of the call. */
  provider: z.string(),
  /** Null if the agent names none and the provider has no default model. */
  model: z.string().nullable(),
  kind: z.enum(usageKinds),
  quantity: z.number(),
  unit: z.enum(['token', 'second', 'character', 'minute']),
  /** Price of the quantity in the currency of the service; null if the host's price list has none. */
  price: z.number().nullable(),
  /** True if the provider did not report the quantity, such as for a cancelled reply, and the service estimated it. */
  is_estimate: z.boolean(),
  /** True if the usage was billed to the organization's own key. */
  own_key: z.boolean(),
});

/** Usage of one kind at one provider, and its price. */
export type CostItem = z.infer<typeof costItemSchema>;
