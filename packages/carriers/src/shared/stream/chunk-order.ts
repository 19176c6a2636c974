/** Maximum number of chunks that wait for a missing one: 100 ms of audio. */
const maxWaiting = 5;

/**
 * Reorders numbered chunks. Emits chunks in sequence at once, and skips a gap when more than five later chunks wait.
 */
export class ChunkOrder<T> {
  readonly #onChunk: (chunk: T) => void;
  readonly #waiting = new Map<number, T>();
  #next: number | null = null;

  constructor(onChunk: (chunk: T) => void) {
    this.#onChunk = onChunk;
  }

  /** Adds a chunk. Late and duplicate chunks are dropped. */
  take(number: number, chunk: T): void {
    this.#next ??= number;
    if (number < this.#next) return;
    this.#waiting.set(number, chunk);
    if (this.#waiting.size > maxWaiting) this.#next = Math.min(...this.#waiting.keys());
    for (let next = this.#waiting.get(this.#next); next !== undefined; next = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      this.#next += 1;
      this.#onChunk(next);
    }
  }
}
