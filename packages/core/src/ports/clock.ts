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
}
