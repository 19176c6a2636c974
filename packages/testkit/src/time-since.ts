import type { Clock, Timer } from '@va/core';

/** A clock that shows the time since a moment of another one. */
export class TimeSince implements Clock {
  readonly #clock: Clock;
  #originMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on it counts anew. */
  begin(): void {
    this.#originMs = this.#clock.nowMs();
  }

  nowMs(): number {
    return this.#clock.nowMs() - this.#originMs;
  }

  /** What a time of the other clock is on this one. */
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
