import type { Logger, OutgoingWebhook, RandomBytes } from '@va/core/adapter';
import type { Posted } from '../request/posted.ts';
import { retryDelayMs } from '../request/retry-schedule.ts';

interface RetryDependencies {
  readonly random: RandomBytes;
  readonly logger: Logger;
}

/**
 * Returns the delay in milliseconds before the next attempt of a failed delivery, or null if it is given up: after the
 * last attempt, for a refused URL, and for a receiver that is gone (410). Logs the failure.
 */
export function delayAfterFailure(
  delivery: OutgoingWebhook,
  posted: Posted,
  { random, logger }: RetryDependencies,
): number | null {
  const { outcome, retryAfterMs } = posted;
  if (outcome.ok) return null;
  const { event, callId, webhookId } = delivery;
  const attempt = delivery.attempts + 1;
  const isFinal = outcome.status === 410 || outcome.reason === 'refused';
  const delayMs = isFinal ? null : retryDelayMs(event, attempt, retryAfterMs, random);
  const { reason, status, message: error } = outcome;
  const fields = { callId, event, webhookId, attempt, reason, status, error };
  if (delayMs === null) logger.error(fields, 'gave up on a webhook');
  else logger.warn({ ...fields, delayMs }, 'failed to deliver a webhook');
  return delayMs;
}
