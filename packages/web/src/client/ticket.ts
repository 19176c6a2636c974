import { WebCallError } from './errors.ts';

/** Permission for one call: `url` and `token` of `POST /calls/web`. */
export interface WebCallTicket {
  readonly url: string;
  readonly token: string;
}

/** A call that the page requests itself with a publishable key. */
export interface PublishableCall {
  /** URL of the service with the path of its mount, such as `https://example.com/voice`. */
  readonly baseUrl: string;
  /** Publishable key `va_pk_…`, whose allowed origins include that of the page. */
  readonly publishableKey: string;
  readonly agentId: string;
  /** Values of the variables that the key permits: numbers, booleans, and strings of at most 500 characters. */
  readonly variables?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Returns the given ticket, or requests one from the service.
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
    // Browsers do not reveal whether the service is unreachable or refuses the origin.
    const message = 'The service could not be reached, or the publishable key does not allow this page.';
    throw new WebCallError('connection-failed', message, { cause });
  }
  const { url, token, message } = Object(answer) as Readonly<Record<string, unknown>>;
  if (response.ok && typeof url === 'string' && typeof token === 'string') return { url, token };
  throw new WebCallError('token-refused', String(message ?? `The call was refused (${response.status}).`));
}
