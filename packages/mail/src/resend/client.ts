import { type Clock, ProviderError, systemClock, toError } from '@va/core/adapter';
import type { ErrorResponse, Resend } from 'resend';
import { toProviderError } from './fault.ts';

/** Maximum number of retries after the account's rate limit. */
const maxRetries = 3;
const defaultRetryAfterMs = 1_000;

/** Credentials and limits of the requests to Resend. */
export interface ResendClientOptions {
  /**
   * `RESEND_API_KEY` by default, read on the first request. It needs full access: a sending key cannot manage domains.
   */
  readonly apiKey?: string | undefined;
  /** `https://api.resend.com` by default. */
  readonly baseUrl?: string;
  /** Time limit of a request in milliseconds, including waits for the rate limit; 10,000 by default. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

interface ClientResponse {
  readonly data: unknown;
  readonly error: ErrorResponse | null;
  readonly headers: Readonly<Record<string, string>> | null;
}

/** Sends one request with the client; `signal` aborts it. */
export type SendRequest = (client: Resend, options: { signal: AbortSignal }) => Promise<ClientResponse>;

/** Wraps the vendor's client, created on the first request, with a time limit and retries after the rate limit. */
export class ResendClient {
  readonly #options: ResendClientOptions;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #client: Resend | undefined;

  constructor(options: ResendClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.timeoutMs ?? 10_000;
  }

  /** Returns the data of the response. @throws ProviderError */
  async request(send: SendRequest): Promise<unknown> {
    this.#client ??= await connect(this.#options);
    const client = this.#client;
    const timeout = new AbortController();
    const timer = this.#clock.setTimer(this.#timeoutMs, () => timeout.abort());
    try {
      for (let repeat = 0; ; repeat++) {
        const { data, error, headers } = await send(client, { signal: timeout.signal });
        if (timeout.signal.aborted) {
          throw new ProviderError('resend', 'timeout', `no response within ${this.#timeoutMs} ms`);
        }
        if (error === null && data !== null) return data;
        const limited = error?.name === 'rate_limit_exceeded';
        if (!limited || repeat === maxRetries) throw toProviderError(error);
        await this.#wait(retryAfterMs(headers), timeout.signal);
      }
    } finally {
      timer.cancel();
    }
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#clock.setTimer(ms, resolve);
      signal.addEventListener('abort', () => {
        timer.cancel();
        resolve();
      });
    });
  }
}

async function connect({ apiKey, baseUrl }: ResendClientOptions): Promise<Resend> {
  const key = apiKey ?? process.env.RESEND_API_KEY;
  if (!key) throw new ProviderError('resend', 'auth', 'no API key: pass apiKey, or set RESEND_API_KEY.');
  const { Resend } = await import('resend').catch((thrown: unknown) => {
    throw new ProviderError('resend', 'unavailable', 'the package resend is not installed: run npm install resend', {
      cause: toError(thrown),
    });
  });
  return new Resend(key, baseUrl === undefined ? {} : { baseUrl });
}

function retryAfterMs(headers: ClientResponse['headers']): number {
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : defaultRetryAfterMs;
}
