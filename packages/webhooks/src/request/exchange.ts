import type { Dispatcher } from 'undici';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

const nothing = new Uint8Array();

/** Response of a webhook's receiver. */
export interface ReceiverResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if the body is not read, was too long, or was cut off in an unsuccessful response. */
  readonly body: Uint8Array;
  readonly isTooLong: boolean;
}

/** Limits of a {@link WebhookExchange}. */
interface ExchangeOptions {
  readonly maxResponseBytes: number;
  /** False if only the status counts. The body of a non-2xx response is read too, but may be incomplete. */
  readonly readsBody: boolean;
}

/** Returns true for a 2xx status. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Performs one request. Implements undici's handler directly, because a stream per response is too expensive for
 * responses whose body is ignored.
 */
export class WebhookExchange implements Dispatcher.DispatchHandler {
  /** Rejects without a response, or if a response that is read is incomplete. */
  readonly response: Promise<ReceiverResponse>;
  readonly #options: ExchangeOptions;
  readonly #chunks: Uint8Array[] = [];
  #byteLength = 0;
  #isTooLong = false;
  #head: { readonly status: number; readonly headers: Headers } | null = null;
  #endedFor: Error | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #resolve: (response: ReceiverResponse) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /**
   * Ends the exchange in any state. `response` resolves if a status was received, except for a 2xx response whose body
   * is read.
   */
  end(reason: Error): void {
    this.#endedFor ??= reason;
    this.#controller?.abort(reason);
    this.#settle(reason, this.#isNeeded);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // `end` was called while the request waited for a connection.
    if (this.#endedFor !== null) controller.abort(this.#endedFor);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#byteLength += chunk.byteLength;
    if (this.#byteLength > this.#options.maxResponseBytes) {
      this.#isTooLong = true;
      controller.abort(new Error('the response is too long'));
    } else if (this.#isRead) {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    this.#settle(null, false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(error, this.#isNeeded && !this.#isTooLong);
  }

  get #isRead(): boolean {
    return this.#options.readsBody && this.#head !== null;
  }

  /** True if a body that breaks off fails the exchange: the body is read and the status is 2xx. */
  get #isNeeded(): boolean {
    return this.#isRead && isSuccess(this.#head?.status ?? 0);
  }

  /** Resolves with the received response; rejects if it has no status, or is needed and incomplete. */
  #settle(error: Error | null, isCutOff: boolean): void {
    if (this.#head === null || isCutOff) {
      this.#reject(error ?? new Error('the response has no status'));
      return;
    }
    const { status, headers } = this.#head;
    const isWhole = !this.#isTooLong && (error === null || isSuccess(status));
    const body = this.#isRead && isWhole ? Buffer.concat(this.#chunks) : nothing;
    this.#resolve({ status, headers, body, isTooLong: this.#isTooLong });
  }
}
