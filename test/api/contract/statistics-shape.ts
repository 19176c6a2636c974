import { z } from 'zod';

const figures = {
  calls: z.int(),
  answered_calls: z.int(),
  minutes: z.number(),
  cost: z.number(),
  turns: z.int(),
  latency_ms: z.strictObject({ p50: z.number(), p95: z.number() }).nullable(),
  interruptions: z.int(),
  tool_calls: z.int(),
  failed_tools: z.int(),
  end_reasons: z.record(z.string(), z.int()),
};

export const statistics = z.strictObject({
  group_by: z.enum(['day', 'agent', 'campaign', 'direction', 'end_reason']),
  stats: z.array(z.strictObject({ key: z.string().nullable(), ...figures })),
  total: z.strictObject(figures),
});
