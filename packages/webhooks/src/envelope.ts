import { type Clock, type RandomBytes, timestamp, uuidv7, type WebhookMessage } from '@va/core';
import { plainSignature, standardSignature, webhookBearerToken } from './signature.ts';

/** A message ready to be sent: the same id and the same bytes, however often. */
export interface Envelope {
  readonly webhookId: string;
  readonly message: WebhookMessage;
  readonly body: string;
}

export function seal(message: WebhookMessage, clock: Clock, random: RandomBytes): Envelope {
  if (message.sent !== undefined) return { ...message.sent, message };
  const content = { type: message.event, timestamp: timestamp(clock), ...message.message };
  return { webhookId: `msg_${uuidv7(clock, random)}`, message, body: JSON.stringify({ message: content }) };
}

/** The headers of one attempt, signed for the time at which it is made. */
export function signedHeaders({ webhookId, message, body }: Envelope, clock: Clock): Record<string, string> {
  const { secret } = message.target;
  const seconds = String(Math.floor(clock.wallMs() / 1_000));
  return {
    'content-type': 'application/json',
    'user-agent': 'va-webhooks',
    'webhook-id': webhookId,
    'webhook-timestamp': seconds,
    'webhook-signature': standardSignature(secret, webhookId, seconds, body),
    'x-webhook-event': message.event,
    'x-webhook-timestamp': seconds,
    'x-webhook-signature': plainSignature(secret, seconds, body),
    authorization: `Bearer ${webhookBearerToken(secret)}`,
  };
}
