const everyMs = 100;

/** The largest memory of this process, before and after what it did first. */
export class MemoryWatch {
  readonly #timer = setInterval(() => this.#look(), everyMs);
  #peak = 0;

  #look(): void {
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss());
  }

  /** The peak since the last time it was asked for, in MB. */
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
