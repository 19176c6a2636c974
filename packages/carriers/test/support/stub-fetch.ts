import { vi } from 'vitest';

export interface SentRequest {
  /** Method and URL. */
  readonly to: string;
  readonly authorization: string | null;
  /** The JSON or the form fields of the body. */
  readonly body: unknown;
}

/**
 * Stubs `fetch` by responses in the given order, each a status with a JSON body, or the error of a lost connection. Use
 * `vi.unstubAllGlobals()` after the test.
 */
export function stubFetch(...responses: readonly (readonly [status: number, body: object] | Error)[]): SentRequest[] {
  const sent: SentRequest[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const response = responses[sent.length];
    const { body } = init;
    sent.push({
      to: `${init.method} ${url}`,
      authorization: new Headers(init.headers).get('authorization'),
      body: body instanceof URLSearchParams ? [...body] : body === undefined ? undefined : JSON.parse(String(body)),
    });
    if (response === undefined) throw new Error(`There is no response for request ${sent.length}.`);
    if (response instanceof Error) throw response;
    return Response.json(response[1], { status: response[0] });
  });
  return sent;
}
