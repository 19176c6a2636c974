import { boundedResponse, type Clock, ProviderError, type Timer, toError } from '@va/core/adapter';
import type { FormData } from 'undici';
import { providerFetch } from '../shared/connection/network.ts';
import { errorText } from '../shared/faults/error-text.ts';
import { faultOfStatus } from '../shared/faults/http-fault.ts';
import { withoutKey } from '../shared/faults/without-key.ts';
import { fieldsOf, parseFields } from '../shared/json.ts';
import { requireApiKey } from '../shared/options/api-key.ts';

const publicUrl = 'https://api.openai.com/v1';
/** Maximum of an error that is read for its message. */
const maxErrorBytes = 16 * 1024;
const maxMessageLength = 500;

/** Host options of the audio endpoints. */
export interface AudioHostOptions {
  /**
   * Default: OPENAI_API_KEY, read with the first session. With a `baseURL`, requests carry a key only if one is given.
   */
  readonly apiKey?: string;
  /** Base URL of a service with the same API, such as `http://speech.internal:8000/v1`. */
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit for the start of a response, and between its chunks. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** An audio endpoint of a service, with the key of a session. */
export interface AudioEndpoint {
  /** Registry id of the provider, for errors. */
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets to remove from error messages. */
  readonly keys: readonly string[];
  readonly timeoutMs: number;
}

/** @throws ProviderError `auth` if OpenAI is to be contacted without a key */
export function audioEndpoint(
  id: string,
  path: string,
  { apiKey, baseURL, headers, timeoutMs = 10_000 }: AudioHostOptions,
  ownKey: string | undefined,
): AudioEndpoint {
  // The key of the environment is for OpenAI only; another service must not receive it.
  const hostKey = baseURL === undefined ? requireApiKey(id, ownKey ?? apiKey, 'OPENAI_API_KEY') : apiKey;
  const key = ownKey ?? hostKey;
  return {
    id,
    url: `${(baseURL ?? publicUrl).replace(/\/+$/, '')}${path}`,
    headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    keys: [...(key === undefined ? [] : [key]), ...Object.values(headers ?? {})],
    timeoutMs,
  };
}

async function errorOf({ id, keys }: AudioEndpoint, response: Response): Promise<ProviderError> {
  const { status } = response;
  const text = await boundedResponse(response, maxErrorBytes)
    .text()
    .catch(() => '');
  const { message, code } = fieldsOf(parseFields(text)?.error) ?? {};
  const said = typeof message === 'string' && message !== '' ? message : `HTTP ${status}`;
  const fault = code === 'insufficient_quota' ? 'quota' : faultOfStatus(status);
  return new ProviderError(id, fault, withoutKey(said, ...keys).slice(0, maxMessageLength), { status });
}

/** POST request whose time limit runs only while a response or a chunk is awaited. */
export class AudioRequest {
  readonly #endpoint: AudioEndpoint;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #timer: Timer | undefined;
  #ranOut = false;

  constructor(endpoint: AudioEndpoint, clock: Clock) {
    this.#endpoint = endpoint;
    this.#clock = clock;
  }

  /**
   * Sends the request and returns a successful response of at most `maxBytes`.
   * @throws ProviderError otherwise
   */
  async send(body: FormData | string, maxBytes: number): Promise<Response> {
    const { url, headers } = this.#endpoint;
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const init = { method: 'POST', headers: { ...headers, ...type }, redirect: 'manual', body } as RequestInit;
    const { signal } = this.#controller;
    return await this.awaiting(async () => {
      const response = await providerFetch(url, { ...init, signal });
      if (!response.ok) throw await errorOf(this.#endpoint, response);
      return boundedResponse(response, maxBytes);
    });
  }

  /** Awaits a response or a chunk within the time limit, and classifies errors. */
  async awaiting<T>(wait: () => Promise<T>): Promise<T> {
    const { id, timeoutMs, keys } = this.#endpoint;
    this.#timer = this.#clock.setTimer(timeoutMs, () => {
      this.#ranOut = true;
      this.#controller.abort();
    });
    try {
      return await wait();
    } catch (thrown) {
      if (thrown instanceof ProviderError) throw thrown;
      if (this.#ranOut) throw new ProviderError(id, 'timeout', `received no data for ${timeoutMs} ms`);
      throw new ProviderError(id, 'connection', withoutKey(errorText(toError(thrown)), ...keys));
    } finally {
      this.#timer.cancel();
    }
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#controller.abort();
  }
}
