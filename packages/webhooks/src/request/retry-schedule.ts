import type { RandomBytes, WebhookEvent } from '@va/core/adapter';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays after failed attempts. Events whose response is awaited are not retried. */
const delaysMs: Readonly<Record<WebhookEvent, readonly number[]>> = {
  'assistant-request': [],
  'tool-calls': [],
  test: [],
  'status-update': [5 * second, 30 * second, 2 * minute],
  'campaign-update': [5 * second, 30 * second, 2 * minute],
  'end-of-call-report': [
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
};

/**
 * Returns the delay after the failed attempt number `attempt` (from 1), or null if it was the last. At least as long as
 * `Retry-After` asks for, limited to 24 h, and up to a tenth longer than scheduled, so that webhooks that failed
 * together are not retried together.
 */
export function retryDelayMs(
  event: WebhookEvent,
  attempt: number,
  retryAfterMs: number,
  random: RandomBytes,
): number | null {
  const planned = delaysMs[event][attempt - 1];
  if (planned === undefined) return null;
  const jitter = 1 + ((random(1)[0] ?? 0) / 255) * 0.1;
  return Math.max(planned, Math.min(retryAfterMs, 24 * hour)) * jitter;
}

/**
 * Parses a `Retry-After` header in seconds or as a date; returns 0 for a missing or malformed one.
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfterMs(value: string | undefined, nowWallMs: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowWallMs);
}
