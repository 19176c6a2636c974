import { HTTPError, TimeoutError } from 'ky';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { backoff, defaultRetryPolicy, type RetryPolicy, retriesOf } from '../../src/request/retry-policy.ts';

afterEach(() => void vi.restoreAllMocks());

const request = new Request('https://example.com');
const responded = (status: number, body: string | null = null, headers: Record<string, string> = {}): HTTPError =>
  new HTTPError(new Response(body, { status, headers }), request, {} as never);
const inProgress = '{"code":"idempotency_in_progress"}';
const unreached = new TypeError('fetch failed');

function retries(method: string, policy: RetryPolicy = {}, signal = new AbortController().signal) {
  const { shouldRetry, delay } = retriesOf({ ...defaultRetryPolicy, ...policy }, { method, signal, timeoutMs: 1_000 });
  return {
    repeats: async (error: Error) => await shouldRetry?.({ error, retryCount: 1 }),
    delayMs: (attempt: number) => delay?.(attempt),
  };
}

describe('retriesOf', () => {
  it.each<[string, Error, { readonly reads: boolean; readonly changes: boolean }]>([
    ['a network failure', unreached, { reads: true, changes: false }],
    ['a timeout', new TimeoutError(request), { reads: false, changes: false }],
    ['429', responded(429), { reads: true, changes: true }],
    ['502', responded(502), { reads: true, changes: false }],
    ['503', responded(503), { reads: true, changes: false }],
    ['503 with Retry-After', responded(503, null, { 'retry-after': '1' }), { reads: true, changes: true }],
    ['504', responded(504), { reads: true, changes: false }],
    ['504 with Retry-After', responded(504, null, { 'retry-after': '1' }), { reads: true, changes: false }],
    ['408', responded(408), { reads: false, changes: false }],
    ['500', responded(500), { reads: false, changes: false }],
    ['404', responded(404), { reads: false, changes: false }],
    ['a conflict', responded(409, '{"code":"duplicate_lead"}'), { reads: false, changes: false }],
    ['a conflict without a body', responded(409), { reads: false, changes: false }],
  ])('decides for each method whether to repeat it after %s', async (_, error, { reads, changes }) => {
    for (const method of ['GET', 'POST']) expect(await retries(method).repeats(error), method).toBe(reads);
    for (const method of ['PATCH', 'DELETE']) expect(await retries(method).repeats(error), method).toBe(changes);
  });

  it.each([
    ['POST', true],
    ['PATCH', false],
  ])('repeats %s while an earlier attempt is in progress: %s', async (method, expected) => {
    expect(await retries(method).repeats(responded(409, inProgress))).toBe(expected);
  });

  it('repeats nothing once the signal has aborted', async () => {
    const { repeats } = retries('GET', {}, AbortSignal.abort());
    expect(await repeats(unreached)).toBe(false);
    expect(await repeats(responded(429))).toBe(false);
  });

  it.each([
    ['1', true],
    ['2', true],
    ['3', false],
  ])('repeats after a Retry-After of %s s if at most 2 s are allowed: %s', async (seconds, expected) => {
    const { repeats } = retries('GET', { maxRetryAfterMs: 2_000 });
    expect(await repeats(responded(429, null, { 'retry-after': seconds }))).toBe(expected);
  });

  it('waits as long as the service asks, and for later failures by its own backoff', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { repeats, delayMs } = retries('GET');
    await repeats(responded(429, null, { 'retry-after': '7' }));
    expect(delayMs(1)).toBe(7_000);
    await repeats(unreached);
    expect(delayMs(2)).toBe(600);
  });

  it('discards the body of a response whose request is repeated, and leaves others to be read', async () => {
    const passing = responded(503, 'busy');
    await retries('GET').repeats(passing);
    expect(passing.response.bodyUsed).toBe(true);
    const refusing = responded(409, '{"code":"duplicate_lead"}');
    await retries('POST').repeats(refusing);
    expect(await refusing.response.text()).toBe('{"code":"duplicate_lead"}');
  });

  it('uses the number of retries of the policy', () => {
    const about = { method: 'GET', signal: new AbortController().signal, timeoutMs: 1_000 };
    expect(retriesOf({ ...defaultRetryPolicy, limit: 0 }, about).limit).toBe(0);
  });
});

describe('backoff', () => {
  it.each([
    [1, 100],
    [2, 200],
    [3, 400],
    [5, 1_600],
  ])('before attempt %i is at most %i ms, and at least half of it', (attempt, mostMs) => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(backoff(100, attempt)).toBe(mostMs);
    random.mockReturnValue(1);
    expect(backoff(100, attempt)).toBe(mostMs / 2);
  });
});
