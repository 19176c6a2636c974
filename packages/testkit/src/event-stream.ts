/** An async iterable that is fed from outside: what was pushed comes out in order. */
export class EventStream<T> implements AsyncIterable<T> {
  readonly #queue: T[] = [];
  #wake: (() => void) | null = null;
  #ended = false;
  #failure: Error | null = null;

  push(event: T): void {
    if (this.#ended) return;
    this.#queue.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** What was pushed before still comes out; then iterating throws. */
  fail(error: Error): void {
    if (this.#ended) return;
    this.#failure = error;
    this.end();
  }

  /** Drops what has not come out, and ends. */
  abandon(): void {
    this.#queue.length = 0;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      while (this.#queue.length > 0) yield this.#queue.shift() as T;
      if (this.#ended) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    if (this.#failure !== null) throw this.#failure;
  }
}
