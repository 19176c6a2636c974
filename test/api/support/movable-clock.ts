import { type Clock, systemClock } from '@va/core/adapter';

/** The system clock, which a test can move forward, and whose time of day it can stop. Timers run in real time. */
export class MovableClock implements Clock {
  #aheadMs = 0;
  #stoppedAtMs: number | null = null;

  nowMs(): number {
    return systemClock.nowMs() + this.#aheadMs;
  }

  wallMs(): number {
    return (this.#stoppedAtMs ?? systemClock.wallMs()) + this.#aheadMs;
  }

  setTimer: Clock['setTimer'] = (delayMs, run) => systemClock.setTimer(delayMs, run);

  /** Stops the time of day, so that no minute ends in a test of limits per minute. It can still be put forward. */
  stop(): void {
    this.#stoppedAtMs = systemClock.wallMs();
  }

  putForward(ms: number): void {
    this.#aheadMs += ms;
  }
}
