import type { Client, ClientOptions } from '../../src/index.ts';
import { clientOf } from './client-of.ts';

interface SentRequest {
  /** Method and path with query, below `/api/v1`. */
  readonly line: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A client without a network: its requests are recorded, and answered in turn; the last answer repeats. */
export function recordedClient(
  answers: readonly (() => Response)[],
  options: Partial<ClientOptions> = {},
): { readonly client: Client; readonly sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const line = `${request.method} ${request.url.replace('https://example.com/voice/api/v1', '')}`;
    sent.push({ line, headers: request.headers, body: await request.text() });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (answer === undefined) throw new Error('There is no answer.');
    return answer();
  };
  return { client: clientOf('https://example.com/voice', { fetch, ...options }), sent };
}
