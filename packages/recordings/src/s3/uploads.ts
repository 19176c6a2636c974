import { type Clock, type Logger, toError } from '@va/core/adapter';

/** Delays between attempts; the last one repeats. */
const retryDelaysMs = [1_000, 5_000, 30_000, 120_000, 600_000];

interface UploadDependencies {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

interface PendingUpload {
  readonly abort: AbortController;
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

  begin(key: string, attempt: (signal: AbortSignal) => Promise<void>): void {
    if (this.#isClosing || this.#uploads.has(key)) return;
    const abort = new AbortController();
    const done = this.#run(key, attempt, abort.signal).finally(() => this.#uploads.delete(key));
    this.#uploads.set(key, { abort, done });
  }

  /** Cancels the upload of a key. Resolves when it has stopped. */
  async cancel(key: string): Promise<void> {
    const upload = this.#uploads.get(key);
    upload?.abort.abort();
    await upload?.done;
  }

  /** Waits for attempts in progress; scheduled retries are dropped. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#stopWaiting();
    await Promise.all([...this.#uploads.values()].map(({ done }) => done));
  }

  #stopWaiting: () => void = () => {};
  readonly #closing: Promise<void> = new Promise((resolve) => {
    this.#stopWaiting = resolve;
  });

  async #run(key: string, attempt: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await attempt(signal);
        return;
      } catch (thrown) {
        if (signal.aborted || this.#isClosing) return;
        const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)] ?? 0;
        this.#deps.logger.warn({ err: toError(thrown), key, delayMs }, 'failed to upload recording');
        await this.#pause(delayMs, signal);
      }
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#deps.clock.setTimer(ms, resolve);
      const stop = (): void => {
        timer.cancel();
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
      void this.#closing.then(stop);
    });
  }
}
