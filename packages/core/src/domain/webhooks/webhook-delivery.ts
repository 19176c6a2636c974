import { z } from 'zod';

/** States of a webhook delivery. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const deliveryAttemptSchema = z.object({
  at: z.iso.datetime(),
  status_code: z.int().nullable(),
  latency_ms: z.number(),
  /** Error of the attempt; for a delivered request, the ignored parts of its response. */
  error: z.string().nullable(),
});
/** One attempt to deliver a webhook. */
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

/** A webhook delivery, as the API returns it. */
export const webhookDeliverySchema = z.object({
  id: z.uuid(),
  /** The header `webhook-id`: the same for every attempt and redelivery. */
  webhook_id: z.string(),
  agent_id: z.uuid().nullable(),
  call_id: z.uuid().nullable(),
  event: z.string(),
  url: z.string(),
  status: z.enum(deliveryStatuses),
  /** HTTP status of the last attempt; null without a response. */
  status_code: z.int().nullable(),
  attempts: z.array(deliveryAttemptSchema),
  /** The sent JSON. */
  payload: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  delivered_at: z.iso.datetime().nullable(),
});

/** A webhook with all of its attempts. */
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
