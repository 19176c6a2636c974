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

/**
 * A `fetch` whose response has begun with this text and never goes on. Without a server, whose response a busy machine
 * could delay beyond a short timeout.
 */
export function stalled(status: number, text: string): () => Promise<Response> {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) });
  return async () => new Response(body, { status });
}
