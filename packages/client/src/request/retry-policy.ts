import { HTTPError, type RetryOptions, TimeoutError } from 'ky';
import { readRetryAfterMs } from './errors.ts';

/** Retries of requests that the service did not receive or could not accept. */
export interface RetryPolicy {
  /** Maximum number of retries; 2 by default, 0 for none. */
  readonly limit?: number;
  /** Before the first repetition; doubles with each, with up to half of it off at random. 300 by default. */
  readonly backoffMs?: number;
  /** A `Retry-After` beyond it is not waited for: the error is thrown at once. 60,000 by default. */
  readonly maxRetryAfterMs?: number;
}

export const defaultRetryPolicy: Required<RetryPolicy> = { limit: 2, backoffMs: 300, maxRetryAfterMs: 60_000 };

const statuses = [429, 502, 503, 504];

interface Attempted {
  readonly method: string;
  readonly signal: AbortSignal;
}

/**
 * A GET is repeated when the network fails and at 429, 502, 503 and 504; a POST too, for it carries one idempotency key
 * through all attempts, and while the first of them is still being worked on. PATCH and DELETE are repeated where the
 * service says that it has not begun: at 429, and at 503 with a `Retry-After`. What took too long is not repeated.
 */
export function retriesOf(policy: Required<RetryPolicy>, { method, signal }: Attempted): RetryOptions {
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
      hasNotBegun || (canRepeat && (statuses.includes(response.status) || (await isInProgress(response))));
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

/** An attempt whose answer was lost may still be worked on. */
async function isInProgress(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'idempotency_in_progress';
}
