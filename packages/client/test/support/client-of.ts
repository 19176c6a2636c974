import { type Client, type ClientOptions, createClient } from '../../src/index.ts';

/** A client that does not wait long before it tries again. */
export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl, apiKey: 'va_live_test', ...options, retry: { backoffMs: 1, ...options.retry } });
}

/** Returns the error that a promise is rejected with. */
export async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => Promise.reject(new Error(`Nothing was thrown; there was ${JSON.stringify(value)}.`)),
    (thrown: unknown) => thrown,
  );
}
