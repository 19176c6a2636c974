import { expect } from 'vitest';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON
  readonly body: any;
}

/** Sends JSON with a key, and returns the JSON of the response. */
export async function send(
  url: string,
  options: { method?: string; key?: string; json?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { method = 'GET', key, json } = options;
  const headers = new Headers(options.headers);
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  if (json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const body = json === undefined ? null : typeof json === 'string' ? json : JSON.stringify(json);
  const response = await fetch(url, { method, headers, body });
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.:-]+$/);
  return { status: response.status, headers: response.headers, body: await response.json() };
}
