import type { Dispatcher } from 'undici';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

const nothing = new Uint8Array();

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty where nobody reads it, it was too long, or an answer of no success broke off. */
  readonly body: Uint8Array;
  readonly isTooLong: boolean;
}

export interface ExchangeOptions {
  readonly maxAnswerBytes: number;
  /** False where the status alone counts. The body of a non-2xx answer is read too, but may be incomplete. */
  readonly readsBody: boolean;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * One request and its answer. It is undici's handler itself, as a request that is made in numbers needs no stream for
 * an answer that nobody reads.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Rejects where there is no answer, or not the whole of one that is read. */
  readonly answer: Promise<Answer>;
  readonly #options: ExchangeOptions;
  readonly #chunks: Uint8Array[] = [];
  #byteLength = 0;
  #isTooLong = false;
  #head: { readonly status: number; readonly headers: Headers } | null = null;
  #endedFor: Error | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #resolve: (answer: Answer) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends it wherever it is: a status that came already counts where the body is not read. */
  end(reason: Error): void {
    this.#endedFor ??= reason;
    this.#controller?.abort(reason);
    this.#over(reason, this.#isNeeded);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It waited for its connection.
    if (this.#endedFor !== null) controller.abort(this.#endedFor);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#byteLength += chunk.byteLength;
    if (this.#byteLength > this.#options.maxAnswerBytes) {
      this.#isTooLong = true;
      controller.abort(new Error('The answer is too long.'));
    } else if (this.#isRead) {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    this.#over(null, false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#over(error, this.#isNeeded && !this.#isTooLong);
  }

  get #isRead(): boolean {
    return this.#options.readsBody && this.#head !== null;
  }

  /** Whether an answer without its whole body is no answer. */
  get #isNeeded(): boolean {
    return this.#isRead && isSuccess(this.#head?.status ?? 0);
  }

  /** With what there is of the answer; with the error where there is too little. */
  #over(error: Error | null, isCutOff: boolean): void {
    if (this.#head === null || isCutOff) {
      this.#reject(error ?? new Error('The answer has no status.'));
      return;
    }
    const { status, headers } = this.#head;
    const isWhole = !this.#isTooLong && (error === null || isSuccess(status));
    const body = this.#isRead && isWhole ? Buffer.concat(this.#chunks) : nothing;
    this.#resolve({ status, headers, body, isTooLong: this.#isTooLong });
  }
}
