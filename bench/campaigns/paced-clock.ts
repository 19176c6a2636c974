import type { Clock } from '@va/core/adapter';

/** A clock that the benchmark advances, so that it does not wait for real seconds. */
export class PacedClock implements Clock {
  #aheadMs = 0;

  nowMs(): number {
    return performance.now() + this.#aheadMs;
  }

  wallMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** The benchmark starts each pass itself. */
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
