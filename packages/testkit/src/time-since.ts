import type { Clock, Timer } from '@va/core/adapter';

/** A clock whose time counts from a moment of another clock. */
export class TimeSince implements Clock {
  readonly #clock: Clock;
  #originMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Restarts at zero. */
  begin(): void {
    this.#originMs = this.#clock.nowMs();
  }

  nowMs(): number {
    return this.#clock.nowMs() - this.#originMs;
  }

  /** Converts a time of the other clock to this one. */
  at(ms: number): number {
    return ms - this.#originMs;
  }

  wallMs(): number {
    return this.#clock.wallMs();
  }

  setTimer(delayMs: number, run: () => void): Timer {
    return this.#clock.setTimer(delayMs, run);
  }
}
