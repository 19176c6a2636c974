import { type Clock, ProviderError, type Timer } from '@va/core/adapter';

/** Aborts a request when the outer signal is aborted, or when no data has arrived for `timeoutMs`. */
export class RequestTimeout {
  readonly #provider: string;
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #outer: AbortSignal;
  readonly #abort = (): void => this.#controller.abort();
  #timer: Timer | undefined;
  #ranOut = false;

  constructor(provider: string, clock: Clock, timeoutMs: number, outer: AbortSignal) {
    this.#provider = provider;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#outer = outer;
    if (outer.aborted) this.#abort();
    outer.addEventListener('abort', this.#abort, { once: true });
    this.renew();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the timeout after received data. */
  renew(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(this.#timeoutMs, () => {
      this.#ranOut = true;
      this.#abort();
    });
  }

  /** Error of a request that timed out; undefined otherwise. */
  get error(): ProviderError | undefined {
    if (!this.#ranOut) return undefined;
    return new ProviderError(this.#provider, 'timeout', `received no data for ${this.#timeoutMs} ms`);
  }

  end(): void {
    this.#timer?.cancel();
    this.#outer.removeEventListener('abort', this.#abort);
    this.#abort();
  }
}
