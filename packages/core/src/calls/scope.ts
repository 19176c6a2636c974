import { setMaxListeners } from 'node:events';
import { toError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';

/** Owns what a call holds: one signal for its work, and what has to be let go of when it ends. */
export class Scope {
  readonly #abort = new AbortController();
  readonly #closers: (() => void)[] = [];
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
    // Each tool that runs listens to it until it is done: from the eleventh on Node takes them for a leak, and says so.
    setMaxListeners(0, this.#abort.signal);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Runs when the scope closes, the last one first; at once if it is closed already. */
  onClose(closer: () => void): void {
    if (this.#abort.signal.aborted) this.#run(closer);
    else this.#closers.push(closer);
  }

  /** Idempotent. A closer that throws does not keep the others from running. */
  close(): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    for (const closer of this.#closers.splice(0).reverse()) this.#run(closer);
  }

  #run(closer: () => void): void {
    try {
      closer();
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'closing a call failed');
    }
  }
}
