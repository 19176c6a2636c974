import { z } from 'zod';
import { costItemSchema } from '../costs/cost-item.ts';
import { callDirections } from './call.ts';

/** The usage of one call. */
export const usageLogSchema = z.object({
  id: z.uuid(),
  call_id: z.uuid(),
  agent_id: z.uuid().nullable(),
  agent_name: z.string().nullable(),
  business_name: z.string().nullable(),
  phone_number: z.string().nullable(),
  call_type: z.enum(['phone', 'web']),
  direction: z.enum(callDirections),
  duration_seconds: z.int(),
  minutes_used: z.number(),
  cost: z.number().nullable(),
  cost_breakdown: z.array(costItemSchema),
  /** ISO 4217 code. */
  currency: z.string().nullable(),
  /** The publishable key that a page began the call with. */
  publishable_key_id: z.uuid().nullable(),
  created_at: z.iso.datetime(),
});

/** Usage of one answered call. Written in the transaction that ends the call. */
export type UsageLog = z.infer<typeof usageLogSchema>;

const usageTotalSchema = costItemSchema.omit({ is_estimate: true });

/** Usage of the calls of a period. */
export const usageSummarySchema = z.object({
  total_calls: z.int(),
  total_duration_seconds: z.int(),
  total_duration_minutes: z.number(),
  total_cost: z.number(),
  /** Usage and prices by provider, model and kind: at most 1000, those with the highest prices first. */
  breakdown: z.array(usageTotalSchema),
});
/** Usage of the calls of a period. */
export type UsageSummary = z.infer<typeof usageSummarySchema>;
