export interface CallQueueOptions<T> {
  /** Tries once; resolves to how long it then is until it is tried again, or null when it never is. */
  readonly attempt: (item: T) => Promise<number | null>;
  /** Lets go of an item until then. */
  readonly putOff: (item: T, delayMs: number) => void;
  readonly onEmpty: () => void;
}

/** How far apart those come up again that one before them held up. */
const spacingMs = 50;

/** The notifications of one call that are in hand: none is tried before those ahead of it are delivered or given up. */
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

  /** Resolves when nothing is in hand: all is delivered, given up or put off. */
  async empty(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const delayMs = await this.#options.attempt(next);
      if (delayMs !== null) this.#putOffRest(delayMs);
    }
    this.#running = null;
    this.#options.onEmpty();
  }

  #putOffRest(delayMs: number): void {
    for (const [n, item] of this.#waiting.splice(0).entries()) {
      this.#options.putOff(item, delayMs + spacingMs * (n + 1));
    }
  }
}
