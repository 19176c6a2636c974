import { z } from 'zod';

export const toolTrial = z.strictObject({
  success: z.literal(true),
  ok: z.boolean(),
  result: z.unknown(),
  error: z.string().nullable(),
  latency_ms: z.number(),
});
