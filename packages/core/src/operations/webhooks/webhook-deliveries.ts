import { z } from 'zod';
import { timestamp } from '../../clock/timestamp.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { Pagination } from '../../domain/records/pagination.ts';
import { recordIdSchema } from '../../domain/records/record-id.ts';
import { deliveryStatuses, type WebhookDelivery } from '../../domain/webhooks/webhook-delivery.ts';
import { RequestError } from '../../errors.ts';
import { createdWithin, dateRangeFields } from '../../input/date-range.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { pageFields } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { WebhookDispatcher, WebhookEvent, WebhookTarget } from '../../ports/webhooks.ts';
import type { WebhookOutbox } from '../../webhooks/outbox.ts';
import { targetToday } from '../../webhooks/target.ts';

const testTimeoutMs = 10_000;

/** Response of `POST /agents/{id}/webhook/test`. */
export const webhookTestSchema = z.object({
  /** Null without a response. */
  status_code: z.int().nullable(),
  latency_ms: z.number(),
  /** Error of a failed request; null on success. */
  error: z.string().nullable(),
});
/** Response of `POST /agents/{id}/webhook/test`. */
export type WebhookTest = z.infer<typeof webhookTestSchema>;

const deliveryQuerySchema = z.strictObject({
  ...pageFields(1_000),
  ...dateRangeFields,
  agent_id: recordIdSchema.optional(),
  call_id: recordIdSchema.optional(),
  event: z.string().min(1).max(100).optional(),
  status: z.enum(deliveryStatuses).optional(),
});
type WebhookDeliveryQuery = z.input<typeof deliveryQuerySchema>;

/** Every method throws a `RequestError`: 400 for the query, 404 `webhook_delivery_not_found` or `agent_not_found`. */
export interface WebhookDeliveryOperations {
  /**
   * Newest first. Query: `limit` (1–1000, default 100), `offset`, `agent_id`, `call_id`, `event`, `status`,
   * `start_date`, `end_date` (on `created_at`, half-open; an end that is a day includes it).
   */
  list(orgId: string, query?: WebhookDeliveryQuery): Promise<{ deliveries: WebhookDelivery[]; pagination: Pagination }>;
  /**
   * Sends the same body with the same `webhook-id` again, to the current URL and signed with the current secret. 422
   * `no_webhook_url` if there is none.
   */
  redeliver(orgId: string, id: string): Promise<{ success: true }>;
  /**
   * Sends a `test` event to the agent's server and waits up to 10 s; the log has the attempt by then. 422
   * `no_webhook_url` if it has none.
   */
  test(orgId: string, agentId: string): Promise<WebhookTest>;
}

/** Creates the operations on the webhook log; `createOperations` creates all groups. */
export function createWebhookDeliveryOperations(deps: {
  readonly storage: Storage;
  readonly webhooks: WebhookDispatcher;
  readonly outbox: Pick<WebhookOutbox, 'prepare'>;
  readonly jobs: Pick<JobQueue, 'send'>;
  readonly clock: Clock;
}): WebhookDeliveryOperations {
  const { storage, webhooks, outbox, jobs, clock } = deps;

  async function targetOf(orgId: string, agent: Agent | null, url: string | null): Promise<WebhookTarget> {
    const organization = await storage.organizations.get(orgId, orgId);
    const target = targetToday({ organization, agent, now: timestamp(clock) }, url);
    if (target !== null) return target;
    throw new RequestError(422, 'no_webhook_url', 'Neither the agent nor the organization has a webhook_url.');
  }

  return {
    async list(orgId, query = {}) {
      const written = parseInput(deliveryQuerySchema, query);
      const { limit = 100, offset = 0, agent_id, call_id, event, status } = written;
      // An additional condition by which an adapter can use an index of the few undelivered ones.
      const delivered_at = status === 'pending' || status === 'failed' ? null : undefined;
      const where = omitUndefined({
        agent_id,
        call_id,
        event,
        status,
        delivered_at,
        created_at: createdWithin(written),
      });
      const filter = { where };
      const [total, deliveries] = await Promise.all([
        storage.webhookDeliveries.count(orgId, filter),
        storage.webhookDeliveries.list(orgId, { ...filter, limit, offset }),
      ]);
      return { deliveries, pagination: { total, limit, offset } };
    },

    async redeliver(orgId, id) {
      checkId('webhook_delivery', id);
      const delivery = requireFound(await storage.webhookDeliveries.get(orgId, id), 'webhook_delivery', id);
      const { agent_id: agentId, call_id: callId, webhook_id: webhookId, payload, url } = delivery;
      const agent = agentId === null ? null : await storage.agents.get(orgId, agentId);
      const outgoing = outbox.prepare([
        {
          event: delivery.event as WebhookEvent,
          target: await targetOf(orgId, agent, url),
          orgId,
          agentId,
          callId,
          message: {},
          sent: { webhookId, body: JSON.stringify(payload) },
        },
      ]);
      await jobs.send(outgoing.jobs);
      outgoing.dispatch();
      return { success: true };
    },

    async test(orgId, agentId) {
      checkId('agent', agentId);
      const agent = requireFound(await storage.agents.get(orgId, agentId), 'agent', agentId);
      const target = await targetOf(orgId, agent, null);
      const message = { agent: { id: agent.id, name: agent.name }, metadata: agent.metadata ?? {} };
      const outcome = await webhooks.request(
        { event: 'test', target, orgId, agentId, callId: null, message },
        { timeoutMs: testTimeoutMs, signal: new AbortController().signal, untilLogged: true },
      );
      const latency = Math.round(outcome.latencyMs * 10) / 10;
      return { status_code: outcome.status, latency_ms: latency, error: outcome.ok ? null : outcome.message };
    },
  };
}
