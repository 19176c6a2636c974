/** A timer that has been set. Cancelling it twice, or after it ran, does nothing. */
export interface Timer {
  cancel(): void;
}

/**
 * The only source of time. Intervals are measured on `nowMs`; `wallMs` is for timestamps that leave the process.
 */
export interface Clock {
  /** Monotonic milliseconds from an arbitrary start. */
  nowMs(): number;
  /** Milliseconds since the Unix epoch. */
  wallMs(): number;
  setTimer(delayMs: number, run: () => void): Timer;
  /**
   * Runs it when the input that is there has been read, before any timer. A clock whose time stands still until the
   * work is done has no such moment, and leaves it out: the work is then done at once.
   */
  afterInput?(run: () => void): void;
}
