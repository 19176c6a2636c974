/** Callbacks of a {@link CallQueue}. */
interface CallQueueOptions<T> {
  /** Attempts an item. Resolves to the delay in milliseconds before its next attempt, or null after its last one. */
  readonly attempt: (item: T) => Promise<number | null>;
  /** Returns an item to the job queue for the given time. */
  readonly defer: (item: T, delayMs: number) => void;
  readonly onEmpty: () => void;
}

/** Interval between webhooks of a call that were held up by the same earlier one. */
const spacingMs = 50;

/**
 * Webhooks of one call that are in flight. Each waits until those before it are delivered or given up. When one is
 * deferred, so are those behind it.
 */
export class CallQueue<T> {
  readonly #options: CallQueueOptions<T>;
  readonly #waiting: T[] = [];
  #running: Promise<void> | null = null;

  constructor(options: CallQueueOptions<T>) {
    this.#options = options;
  }

  push(item: T): void {
    this.#waiting.push(item);
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is in flight: everything was delivered, given up or deferred. */
  async empty(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const delayMs = await this.#options.attempt(next);
      if (delayMs !== null) this.#deferRest(delayMs);
    }
    this.#running = null;
    this.#options.onEmpty();
  }

  #deferRest(delayMs: number): void {
    for (const [n, item] of this.#waiting.splice(0).entries()) {
      this.#options.defer(item, delayMs + spacingMs * (n + 1));
    }
  }
}
