import { z } from 'zod';

/** Shape of an entry of `cost_breakdown`. */
export const costItem = z.strictObject({
  provider: z.string(),
  model: z.string().nullable(),
  kind: z.string(),
  quantity: z.number(),
  unit: z.string(),
  price: z.number().nullable(),
  is_estimate: z.boolean(),
  own_key: z.boolean(),
});
