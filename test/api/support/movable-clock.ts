import { type Clock, systemClock } from '@va/core/adapter';

/** The system clock, which a test can move forward. Timers run in real time. */
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
