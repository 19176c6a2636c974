import { type Clock, systemClock } from '@va/core/adapter';

/** The machine's clock, which a test can put forward. Timers run at the machine's pace. */
export class MovableClock implements Clock {
  #aheadMs = 0;

  nowMs(): number {
    return systemClock.nowMs() + this.#aheadMs;
  }

  wallMs(): number {
    return systemClock.wallMs() + this.#aheadMs;
  }

  setTimer: Clock['setTimer'] = (delayMs, run) => systemClock.setTimer(delayMs, run);

  putForward(ms: number): void {
    this.#aheadMs += ms;
  }
}
