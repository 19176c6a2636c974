const everyMs = 100;

/** Watches the peak memory of this process. */
export class MemoryWatch {
  readonly #timer = setInterval(() => this.#look(), everyMs);
  #peak = 0;

  #look(): void {
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss());
  }

  /** Returns the peak in MB since the last call. */
  peakMb(): number {
    this.#look();
    const peak = this.#peak;
    this.#peak = 0;
    return peak / 1_048_576;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
