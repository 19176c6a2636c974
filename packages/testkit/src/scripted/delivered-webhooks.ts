import { type StoredWebhook, toError, type WebhookHost, type WebhookMessage, webhookQueue } from '@va/core/adapter';

/** Returns the message that a stored webhook was made from, as it survives serialization. */
export function messageOf({ webhook, target }: StoredWebhook): WebhookMessage {
  const { event, orgId, agentId, callId, url, body, sequence, webhookId, isRedelivery } = webhook;
  const { type: _, timestamp: __, ...message } = (JSON.parse(body) as { message: Record<string, unknown> }).message;
  return {
    event,
    target: target ?? { url, secret: '' },
    orgId,
    agentId,
    callId,
    message,
    ...(sequence === null ? {} : { sequence }),
    ...(isRedelivery ? { sent: { webhookId, body } } : {}),
  };
}

/** Settles the jobs of webhooks that a scripted server received. Does not wait for the queue. */
export function endJobs(host: WebhookHost | null, stored: readonly StoredWebhook[]): void {
  const done = stored.map(({ webhook }) => webhook.id);
  host?.jobs
    .settle(webhookQueue, { done, again: [] })
    .catch((thrown: unknown) => host.logger.error({ err: toError(thrown) }, 'failed to end the jobs of webhooks'));
}
