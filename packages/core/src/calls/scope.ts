import { setMaxListeners } from 'node:events';
import { toError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';

/** Owns the resources of a call: one abort signal for its work, and closers to run at its end. */
export class Scope {
  readonly #abort = new AbortController();
  readonly #closers: (() => void)[] = [];
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
    // Each running tool listens to the signal; Node warns of a leak from the eleventh listener on.
    setMaxListeners(0, this.#abort.signal);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Adds a closer. Closers run in reverse order; immediately if the scope is closed. */
  onClose(closer: () => void): void {
    if (this.#abort.signal.aborted) this.#run(closer);
    else this.#closers.push(closer);
  }

  /** Aborts the signal and runs the closers. Idempotent. A closer that throws does not keep the others from running. */
  close(): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    for (const closer of this.#closers.splice(0).reverse()) this.#run(closer);
  }

  #run(closer: () => void): void {
    try {
      closer();
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'failed to close a resource of a call');
    }
  }
}
