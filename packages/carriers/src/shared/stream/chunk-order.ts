/** Chunks that wait for an earlier one: 100 ms of audio. */
const maxWaiting = 5;

/**
 * Puts numbered chunks in order. One that follows the last is passed on at once; a gap is given up after five more.
 */
export class ChunkOrder<T> {
  readonly #onChunk: (chunk: T) => void;
  readonly #waiting = new Map<number, T>();
  #next: number | null = null;

  constructor(onChunk: (chunk: T) => void) {
    this.#onChunk = onChunk;
  }

  /** Takes a chunk; one that comes too late, or twice, is dropped. */
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
