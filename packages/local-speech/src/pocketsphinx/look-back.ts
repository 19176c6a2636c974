/** Keeps the newest samples of a stream. */
export class LookBack {
  readonly #ring: Int16Array;
  #written = 0;

  constructor(samples: number) {
    this.#ring = new Int16Array(samples);
  }

  add(samples: Int16Array): void {
    for (const sample of samples) this.#ring[this.#written++ % this.#ring.length] = sample;
  }

  /** Returns the kept samples, oldest first, and clears them. */
  take(): Int16Array {
    const kept = Math.min(this.#written, this.#ring.length);
    const start = this.#written - kept;
    this.#written = 0;
    return Int16Array.from({ length: kept }, (_, i) => this.#ring[(start + i) % this.#ring.length] as number);
  }
}
