import type { OutgoingWebhook, WebhookAttempt } from '@va/core/adapter';
import type { PostResult, ResponseReading } from './sender.ts';

/** Options of one attempt. `timeoutMs` limits the whole request. */
export interface PostOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly reads: ResponseReading;
  readonly traceparent?: string | null;
}

/** Result of an attempt, with the URL and the headers of its request. */
export interface Posted extends PostResult {
  readonly url: string;
  /** Request headers without the token. */
  readonly headers: Record<string, string>;
}

/** Describes an attempt for the delivery log and for event listeners. */
export function attemptOf(
  delivery: OutgoingWebhook,
  { url, headers, outcome }: Posted,
  { isLast, ignored = [] }: { isLast: boolean; ignored?: readonly string[] },
): WebhookAttempt {
  const { webhookId, event, orgId, agentId, callId, body, attempts } = delivery;
  const attempt = { webhookId, event, url, orgId, agentId, callId, attempt: attempts + 1 };
  return { ...attempt, isLast, outcome, ignored, headers, body };
}

/** Describes a webhook that was not sent. */
export function refused(url: string, message: string): Posted {
  const outcome = { ok: false, reason: 'refused', status: null, message, latencyMs: 0 } as const;
  return { url, headers: {}, outcome, retryAfterMs: 0 };
}
