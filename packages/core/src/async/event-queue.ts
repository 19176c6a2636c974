/**
 * Turns pushed events into an async iterable for one reader. Events pushed before `end` or `fail` are still delivered;
 * later ones are dropped.
 *
 * @example const queue = new EventQueue<string>(); queue.push('one'); queue.end(); for await (const text of queue)
 * log(text);
 */
export class EventQueue<T> implements AsyncIterable<T> {
  #waiting: T[] = [];
  #outcome: { error?: Error } | undefined;
  #wake: (() => void) | undefined;

  get ended(): boolean {
    return this.#outcome !== undefined;
  }

  push(event: T): void {
    if (this.#outcome !== undefined) return;
    this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#outcome ??= {};
    this.#wake?.();
  }

  /** Makes the reader throw `error` after the events pushed so far. */
  fail(error: Error): void {
    this.#outcome ??= { error };
    this.#wake?.();
  }

  /** Ends at once and drops unread events and errors. */
  discard(): void {
    this.#waiting = [];
    this.#outcome = {};
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift() as T;
      if (this.#outcome?.error !== undefined) throw this.#outcome.error;
      if (this.#outcome !== undefined) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
