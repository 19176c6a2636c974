import { type Clock, type Logger, pause, toError } from '@va/core/adapter';

/** Delays between attempts; the last one repeats. */
const retryDelaysMs = [1_000, 5_000, 30_000, 120_000, 600_000];

interface UploadDependencies {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

interface PendingUpload {
  readonly abort: AbortController;
  /** Prevents further attempts, and ends the wait for the next one. */
  readonly retries: AbortController;
  readonly done: Promise<void>;
}

/** Uploads in progress, by key, each retried until it succeeds. */
export class Uploads {
  readonly #deps: UploadDependencies;
  readonly #uploads = new Map<string, PendingUpload>();
  #isClosing = false;

  constructor(deps: UploadDependencies) {
    this.#deps = deps;
  }

  /** Starts an upload; does nothing while that of the same key is in progress, and after `close`. */
  begin(key: string, attempt: (signal: AbortSignal) => Promise<void>): void {
    if (this.#isClosing || this.#uploads.has(key)) return;
    const [abort, retries] = [new AbortController(), new AbortController()];
    const done = this.#run(key, attempt, abort.signal, retries.signal).finally(() => this.#uploads.delete(key));
    this.#uploads.set(key, { abort, retries, done });
  }

  /** Cancels the upload of a key. Resolves when it has stopped. */
  async cancel(key: string): Promise<void> {
    const upload = this.#uploads.get(key);
    upload?.abort.abort();
    upload?.retries.abort();
    await upload?.done;
  }

  /** Waits for attempts in progress; scheduled retries are dropped. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { retries } of this.#uploads.values()) retries.abort();
    await Promise.all([...this.#uploads.values()].map(({ done }) => done));
  }

  async #run(
    key: string,
    attempt: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
    retries: AbortSignal,
  ): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await attempt(signal);
        return;
      } catch (thrown) {
        if (retries.aborted) return;
        const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)] ?? 0;
        this.#deps.logger.warn({ err: toError(thrown), key, delayMs }, 'failed to upload recording');
        await pause(delayMs, this.#deps.clock, retries);
        if (retries.aborted) return;
      }
    }
  }
}
