import type { Dispatcher } from 'undici';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

const nothing = new Uint8Array();

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty where nobody reads it, or it was too long. */
  readonly body: Uint8Array;
  readonly isTooLong: boolean;
}

export interface ExchangeOptions {
  readonly maxAnswerBytes: number;
  /** False where the status alone counts, as it does where it tells of no success: then the body is let go by. */
  readonly readsBody: boolean;
}

/**
 * One request and its answer. It is undici's handler itself, as a request that is made in numbers needs no stream for an answer that
 * nobody reads.
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
    this.#over(reason, this.#isRead);
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
    this.#over(error, this.#isRead && !this.#isTooLong);
  }

  get #isRead(): boolean {
    const status = this.#head?.status ?? 0;
    return this.#options.readsBody && status >= 200 && status < 300;
  }

  /** With what there is of the answer; with the error where there is too little. */
  #over(error: Error | null, isCutOff: boolean): void {
    if (this.#head === null || isCutOff) {
      this.#reject(error ?? new Error('The answer has no status.'));
      return;
    }
    const body = this.#isRead && !this.#isTooLong ? Buffer.concat(this.#chunks) : nothing;
    const { status, headers } = this.#head;
    this.#resolve({ status, headers, body, isTooLong: this.#isTooLong });
  }
}
