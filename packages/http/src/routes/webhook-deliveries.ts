import { deliveryStatuses, paginationSchema, webhookDeliverySchema, webhookTestSchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { dateRange, deletedSchema, pageQuery } from '../route/shared-schemas.ts';

const delivery = component('WebhookDelivery', webhookDeliverySchema);

export const webhookDeliveries = {
  list: defineRoute({
    method: 'GET',
    path: '/webhook-deliveries',
    scope: 'webhooks:read',
    summary: 'List webhook deliveries',
    description: 'Newest first, each with all attempts.',
    query: pageQuery(
      { defaultLimit: 100, maxLimit: 1_000 },
      {
        ...dateRange,
        agent_id: z.uuid().optional(),
        call_id: z.uuid().optional(),
        event: z.string().min(1).max(100).optional(),
        status: z.enum(deliveryStatuses).optional(),
      },
    ),
    result: z.object({ deliveries: z.array(delivery), pagination: paginationSchema }),
    run: ({ operations, orgId, query }) => operations.webhookDeliveries.list(orgId, query),
  }),
  redeliver: defineRoute({
    method: 'POST',
    path: '/webhook-deliveries/:id/redeliver',
    scope: 'webhooks:write',
    summary: 'Redeliver a webhook',
    description: 'Sends the same body under the same `webhook-id`, with a new signature.',
    status: 202,
    result: deletedSchema,
    errors: { 404: ['webhook_delivery_not_found'], 422: ['no_webhook_url'] },
    run: ({ operations, orgId, params }) => operations.webhookDeliveries.redeliver(orgId, params.id),
  }),
  test: defineRoute({
    method: 'POST',
    path: '/agents/:id/webhook/test',
    scope: 'webhooks:write',
    summary: "Send a test event to an agent's server",
    result: component('WebhookTest', webhookTestSchema),
    errors: { 404: ['agent_not_found'], 422: ['no_webhook_url'] },
    run: ({ operations, orgId, params }) => operations.webhookDeliveries.test(orgId, params.id),
  }),
};
