import type { Clock, WebhookTarget } from '@va/core';
import type { Delivery } from './delivery.ts';
import { plainSignature, standardSignature } from './signature.ts';

/** The headers of one attempt, but for the token: signed for the time at which it is made, with both secrets while one is being replaced. */
export function signedHeaders(
  { webhookId, event, body }: Pick<Delivery, 'webhookId' | 'event' | 'body'>,
  { secret, previousSecret }: WebhookTarget,
  clock: Clock,
  traceparent: string | null = null,
): Record<string, string> {
  const seconds = String(Math.floor(clock.wallMs() / 1_000));
  const secrets = previousSecret == null ? [secret] : [secret, previousSecret];
  return {
    'content-type': 'application/json',
    'user-agent': 'va-webhooks',
    'webhook-id': webhookId,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((each) => standardSignature(each, webhookId, seconds, body)).join(' '),
    'x-webhook-event': event,
    'x-webhook-timestamp': seconds,
    'x-webhook-signature': plainSignature(secret, seconds, body),
    ...(traceparent === null ? {} : { traceparent }),
  };
}
