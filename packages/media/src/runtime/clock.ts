/** A pending timer. Cancelling it again, or after it ran, does nothing. */
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
   * Runs the function after pending input has been read, before any timer. A simulated clock, whose time stands still
   * during work, has no such moment and omits it: the work then runs at once.
   */
  afterInput?(run: () => void): void;
}
