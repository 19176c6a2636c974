import type { Clock } from '@va/core';

/** The time of day, with seconds that pass when the benchmark says so: a scheduler that looks once a second need not be waited for. */
export class PacedClock implements Clock {
  #aheadMs = 0;

  nowMs(): number {
    return performance.now() + this.#aheadMs;
  }

  wallMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Whoever looks once a second is told when it is over. */
  setTimer(): { cancel(): void } {
    return { cancel: () => {} };
  }

  afterInput(run: () => void): void {
    setImmediate(run);
  }

  pass(ms: number): void {
    this.#aheadMs += ms;
  }
}
