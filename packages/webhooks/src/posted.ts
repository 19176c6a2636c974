import type { WebhookAttempt } from '@va/core';
import type { Delivery } from './delivery.ts';
import type { PostResult } from './sender.ts';

export interface PostOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly readsAnswer: boolean;
  readonly traceparent?: string | null;
}

/** An attempt, as it was made. */
export interface Posted extends PostResult {
  readonly url: string;
  /** As they may be shown: without the token. */
  readonly headers: Record<string, string>;
}

/** For the log, and for whoever watches. */
export function attemptOf(delivery: Delivery, { url, headers, outcome }: Posted, isLast: boolean): WebhookAttempt {
  const { webhookId, event, orgId, agentId, callId, body, attempts } = delivery;
  return { webhookId, event, url, orgId, agentId, callId, attempt: attempts + 1, isLast, outcome, headers, body };
}

/** One that was not made. */
export function refused(url: string, message: string): Posted {
  const outcome = { ok: false, reason: 'refused', status: null, message, latencyMs: 0 } as const;
  return { url, headers: {}, outcome, retryAfterMs: 0 };
}
