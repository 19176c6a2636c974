import { WebCallError } from './errors.ts';

/** Permission for one call: `url` and `token` of `POST /calls/web`. */
export interface WebCallTicket {
  readonly url: string;
  readonly token: string;
}

/** A call that the page asks for by itself, with a publishable key. */
export interface PublishableCall {
  /** URL of the service with the path of its mount, such as `https://example.com/voice`. */
  readonly baseUrl: string;
  /** `va_pk_…`, which allows the origin of the page. */
  readonly publishableKey: string;
  readonly agentId: string;
  /** Values of placeholders that the key lists: numbers, booleans, and texts of at most 500 characters. */
  readonly variables?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Returns the given ticket, or asks the service for one.
 * @throws WebCallError `token-refused` or `connection-failed`
 */
export async function ticketOf(options: WebCallTicket | PublishableCall): Promise<WebCallTicket> {
  if ('token' in options) return options;
  const { baseUrl, publishableKey, agentId: agent_id, variables } = options;
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`${baseUrl.replace(/\/$/, '')}/api/v1/calls/web`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ agent_id, variables }),
    });
    answer = await response.json();
  } catch (cause) {
    // Browsers do not tell a page whether the service is unreachable or refuses its origin.
    const message = 'The service could not be reached, or the publishable key does not allow this page.';
    throw new WebCallError('connection-failed', message, { cause });
  }
  const { url, token, message } = Object(answer) as Readonly<Record<string, unknown>>;
  if (response.ok && typeof url === 'string' && typeof token === 'string') return { url, token };
  throw new WebCallError('token-refused', String(message ?? `The call was refused (${response.status}).`));
}
