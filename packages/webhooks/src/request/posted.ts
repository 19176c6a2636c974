import type { OutgoingWebhook, WebhookAttempt } from '@va/core';
import type { AnswerReading, PostResult } from './sender.ts';

export interface PostOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly reads: AnswerReading;
  readonly traceparent?: string | null;
}

/** An attempt, as it was made. */
export interface Posted extends PostResult {
  readonly url: string;
  /** As they may be shown: without the token. */
  readonly headers: Record<string, string>;
}

/** For the log, and for whoever watches. */
export function attemptOf(
  delivery: OutgoingWebhook,
  { url, headers, outcome }: Posted,
  { isLast, ignored = [] }: { isLast: boolean; ignored?: readonly string[] },
): WebhookAttempt {
  const { webhookId, event, orgId, agentId, callId, body, attempts } = delivery;
  const attempt = { webhookId, event, url, orgId, agentId, callId, attempt: attempts + 1 };
  return { ...attempt, isLast, outcome, ignored, headers, body };
}

/** One that was not made. */
export function refused(url: string, message: string): Posted {
  const outcome = { ok: false, reason: 'refused', status: null, message, latencyMs: 0 } as const;
  return { url, headers: {}, outcome, retryAfterMs: 0 };
}
