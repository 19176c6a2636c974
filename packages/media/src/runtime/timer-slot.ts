import type { Clock, Timer } from './clock.ts';

/** Holds at most one timer: setting it again replaces the previous one. */
export class TimerSlot {
  readonly #clock: Clock;
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(delayMs: number, run: () => void): void {
    this.clear();
    this.#timer = this.#clock.setTimer(delayMs, () => {
      this.#timer = null;
      run();
    });
  }

  /** Runs `resend` after `firstMs`, then at intervals that double up to `maxMs`, until cleared. */
  retransmit(firstMs: number, maxMs: number, resend: () => void): void {
    this.set(firstMs, () => {
      this.retransmit(Math.min(firstMs * 2, maxMs), maxMs, resend);
      resend();
    });
  }

  clear(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }
}
