import ky, { HTTPError, type KyInstance, type Options, TimeoutError } from 'ky';
import { type ApiError, ConnectionError, toApiError } from './errors.ts';
import type { RequestOptions } from './request-options.ts';
import { defaultRetryPolicy, type RetryPolicy, retriesOf } from './retry-policy.ts';

/** Options of `createClient`. */
export interface ClientOptions {
  /** Base URL of the service without `/api/v1`, such as `https://example.com/voice`. */
  readonly baseUrl: string;
  /**
   * Bearer token: an API key, or a credential that the host's `authenticate` accepts. A function is called for each
   * request, such as to refresh a token; its rejection rejects the request.
   */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Timeout of an attempt until its response headers, and again until its JSON body, in ms. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Retries of failed requests; by default two with backoff. */
  readonly retry?: RetryPolicy;
  /** Replacement of the global `fetch`, such as for tests or a proxy. */
  readonly fetch?: typeof fetch;
}

/** A request below `/api/v1`. */
export interface ApiRequest {
  readonly method: string;
  /** Path without a leading slash. */
  readonly path: string;
  readonly query?: object | undefined;
  /** JSON body. */
  readonly json?: unknown;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A status outside 2xx whose body is a result instead of an error. */
  readonly goodStatus?: number;
}

/**
 * Sends requests to the API.
 * @throws ApiError if the service refuses the request
 * @throws ConnectionError `timeout`, `connection` or `invalid_answer`
 * @throws the reason of `options.signal` if it aborts
 */
export class Transport {
  readonly retry: Required<RetryPolicy>;
  readonly #ky: KyInstance;
  readonly #apiKey: ClientOptions['apiKey'];
  readonly timeoutMs: number;

  constructor({ baseUrl, apiKey, timeoutMs = 30_000, retry = {}, fetch }: ClientOptions) {
    this.retry = { ...defaultRetryPolicy, ...retry };
    this.#apiKey = apiKey;
    this.timeoutMs = timeoutMs;
    this.#ky = ky.create({
      prefixUrl: `${baseUrl.replace(/\/+$/, '')}/api/v1`,
      ...(fetch === undefined ? {} : { fetch }),
    });
  }

  /** Resolves to the parsed, unvalidated JSON of the response. */
  async json(request: ApiRequest, options: RequestOptions = {}): Promise<unknown> {
    const { signal, timeoutMs = this.timeoutMs } = options;
    const answering = new AbortController();
    const either = signal === undefined ? answering.signal : AbortSignal.any([signal, answering.signal]);
    const response = await this.open(request, { ...options, signal: either });
    // The timeout of ky covers the response headers only.
    const timer = setTimeout(() => answering.abort(), timeoutMs);
    try {
      return await response.json();
    } catch (cause) {
      signal?.throwIfAborted();
      if (answering.signal.aborted) throw tookTooLong(cause);
      if (!(cause instanceof SyntaxError)) throw brokeOff(cause);
      throw new ConnectionError('invalid_answer', `The answer to ${request.path} is not JSON.`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves to the response after its headers. Reading its body is not subject to `timeoutMs`. */
  async open(request: ApiRequest, options: RequestOptions = {}, retry: RetryPolicy = {}): Promise<Response> {
    const { method, path, query, json, body, goodStatus } = request;
    const { signal = new AbortController().signal, timeoutMs = this.timeoutMs } = options;
    signal.throwIfAborted();
    const sent: Options = {
      method,
      headers: await this.#headers(request, options),
      ...(query === undefined ? {} : { searchParams: writeQuery(query) }),
      ...(json === undefined ? {} : { json }),
      ...(body === undefined ? {} : { body }),
      signal,
      timeout: timeoutMs,
      retry: retriesOf({ ...this.retry, ...retry }, { method, signal, timeoutMs }),
      throwHttpErrors: (status) => status !== goodStatus,
    };
    try {
      return await this.#ky(path, sent);
    } catch (cause) {
      signal.throwIfAborted();
      const error = await toClientError(cause, timeoutMs);
      signal.throwIfAborted();
      throw error;
    }
  }

  async #headers({ method, headers }: ApiRequest, options: RequestOptions): Promise<Record<string, string>> {
    const key = typeof this.#apiKey === 'string' ? this.#apiKey : await this.#apiKey();
    return {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      ...(method === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
      ...headers,
    };
  }
}

/** Writes the parameters of a query, without undefined ones. Values of an array are joined with commas. */
function writeQuery(query: object): URLSearchParams {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) written.set(name, String(value));
  return written;
}

async function toClientError(cause: unknown, timeoutMs: number): Promise<ApiError | ConnectionError> {
  if (cause instanceof HTTPError) return await toApiError(cause.response, timeoutMs);
  if (cause instanceof TimeoutError) return tookTooLong(cause);
  return new ConnectionError('connection', 'The service could not be reached.', { cause });
}

function tookTooLong(cause: unknown): ConnectionError {
  return new ConnectionError('timeout', 'The service did not answer in time.', { cause });
}

export function brokeOff(cause: unknown): ConnectionError {
  return new ConnectionError('connection', 'The response was interrupted.', { cause });
}
