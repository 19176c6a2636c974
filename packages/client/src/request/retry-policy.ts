import { HTTPError, type RetryOptions, TimeoutError } from 'ky';
import { readRetryAfterMs } from './errors.ts';
import { readJsonBody } from './json-body.ts';

/**
 * Retries of failed requests. GET and POST are repeated after a network failure and after 429, 502, 503 and 504; PATCH
 * and DELETE only after 429, and after 503 with `Retry-After`. Timeouts are not repeated.
 */
export interface RetryPolicy {
  /** Maximum number of retries; 2 by default, 0 for none. */
  readonly limit?: number;
  /** Delay before the first retry in ms; doubles with each, minus up to 50 % jitter. 300 by default. */
  readonly backoffMs?: number;
  /** Maximum `Retry-After` to wait for, in ms; with a longer one the error is thrown at once. 60,000 by default. */
  readonly maxRetryAfterMs?: number;
}

export const defaultRetryPolicy: Required<RetryPolicy> = { limit: 2, backoffMs: 300, maxRetryAfterMs: 60_000 };

const statuses = [429, 502, 503, 504];

interface Attempted {
  readonly method: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Returns the options for ky. POST is repeated like GET because all attempts carry the same idempotency key; also while
 * the service still processes an earlier attempt. PATCH and DELETE are repeated only if the service has not processed
 * the request: after 429, and after 503 with `Retry-After`. Timeouts are not repeated.
 */
export function retriesOf(policy: Required<RetryPolicy>, { method, signal, timeoutMs }: Attempted): RetryOptions {
  let askedMs: number | null = null;

  async function shouldRetry({ error }: { error: Error }): Promise<boolean> {
    if (signal.aborted || error instanceof TimeoutError) return false;
    const canRepeat = method === 'GET' || method === 'POST';
    askedMs = null;
    if (!(error instanceof HTTPError)) return canRepeat;
    const { response } = error;
    askedMs = readRetryAfterMs(response.headers);
    if (askedMs !== null && askedMs > policy.maxRetryAfterMs) return false;
    const hasNotBegun = response.status === 429 || (response.status === 503 && askedMs !== null);
    const isPassing =
      hasNotBegun || (canRepeat && (statuses.includes(response.status) || (await isInProgress(response, timeoutMs))));
    // An unread body would keep its connection open.
    if (isPassing) await response.body?.cancel();
    return isPassing;
  }

  return {
    limit: policy.limit,
    methods: ['get', 'post', 'patch', 'delete'],
    shouldRetry,
    delay: (attempt) => askedMs ?? backoff(policy.backoffMs, attempt),
  };
}

/** @param attempt counts from 1 */
export function backoff(firstMs: number, attempt: number): number {
  return firstMs * 2 ** (attempt - 1) * (1 - Math.random() / 2);
}

/** Returns true if the service still processes an earlier attempt, whose response was lost. */
async function isInProgress(response: Response, timeoutMs: number): Promise<boolean> {
  if (response.status !== 409) return false;
  const body = await readJsonBody(response.clone(), timeoutMs);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'idempotency_in_progress';
}
