import type { Clock, OutgoingWebhook, WebhookTarget } from '@va/core/adapter';
import { plainSignature, standardSignature } from '../signature.ts';

/**
 * Returns the headers of one attempt, without the bearer token. Signs with the current time, and with both secrets
 * during a rotation.
 */
export function signedHeaders(
  { webhookId, event, body }: Pick<OutgoingWebhook, 'webhookId' | 'event' | 'body'>,
  { secret, previousSecret }: WebhookTarget,
  clock: Clock,
  traceparent: string | null = null,
): Record<string, string> {
  const seconds = String(Math.floor(clock.wallMs() / 1_000));
  // A signature with an empty key would look genuine to a receiver without a secret.
  const signatures = (): Record<string, string> => {
    if (secret === '') return {};
    const secrets = previousSecret ? [secret, previousSecret] : [secret];
    return {
      'webhook-signature': secrets.map((each) => standardSignature(each, webhookId, seconds, body)).join(' '),
      'x-webhook-signature': plainSignature(secret, seconds, body),
    };
  };
  return {
    'content-type': 'application/json',
    'user-agent': 'va-webhooks',
    'webhook-id': webhookId,
    'webhook-timestamp': seconds,
    'x-webhook-event': event,
    'x-webhook-timestamp': seconds,
    ...signatures(),
    ...(traceparent === null ? {} : { traceparent }),
  };
}
