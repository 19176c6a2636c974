import ky, { HTTPError, type KyInstance, type Options, TimeoutError } from 'ky';
import { type ApiError, ConnectionError, toApiError } from './errors.ts';

export interface ClientOptions {
  /** Where the service is mounted, without `/api/v1`, such as `https://example.com/voice`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For one attempt. Default 30,000. */
  readonly timeoutMs?: number;
  /** How often a request that only reads is repeated when the service cannot be reached or is busy. Default 2. */
  readonly retries?: number;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Sends requests. Every method throws `ApiError` or `ConnectionError`. */
export class Transport {
  readonly #ky: KyInstance;

  constructor({ baseUrl, apiKey, timeoutMs = 30_000, retries = 2 }: ClientOptions) {
    this.#ky = ky.create({
      prefixUrl: `${baseUrl.replace(/\/+$/, '')}/api/v1`,
      headers: { authorization: `Bearer ${apiKey}` },
      timeout: timeoutMs,
      retry: { limit: retries, methods: ['get'], statusCodes: [429, 502, 503, 504] },
    });
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    return await this.#json<T>(path, { method: 'get', searchParams: { ...query } });
  }

  async post<T>(path: string, json: unknown): Promise<T> {
    return await this.#json<T>(path, { method: 'post', json });
  }

  async patch<T>(path: string, json: unknown): Promise<T> {
    return await this.#json<T>(path, { method: 'patch', json });
  }

  async delete(path: string): Promise<void> {
    await this.#json(path, { method: 'delete' });
  }

  async stream(path: string): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#send(path, { method: 'get', timeout: false });
    return response.body ?? new Blob([]).stream();
  }

  async #json<T>(path: string, options: Options): Promise<T> {
    const response = await this.#send(path, options);
    try {
      return (await response.json()) as T;
    } catch (cause) {
      throw new ConnectionError('invalid_answer', `The answer to ${path} is not JSON.`, { cause });
    }
  }

  async #send(path: string, options: Options): Promise<Response> {
    try {
      return await this.#ky(path, options);
    } catch (cause) {
      throw await toClientError(cause);
    }
  }
}

async function toClientError(cause: unknown): Promise<ApiError | ConnectionError> {
  if (cause instanceof HTTPError) return await toApiError(cause.response);
  if (cause instanceof TimeoutError)
    return new ConnectionError('timeout', 'The service did not answer in time.', { cause });
  return new ConnectionError('connection', 'The service could not be reached.', { cause });
}
