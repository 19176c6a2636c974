import type { Clock, Timer } from '@va/core/adapter';

const maxAttempts = 3;
const firstDelayMs = 200;

/** Reconnection policy: three attempts in a row, with increasing delays. */
export class Reconnection {
  readonly #clock: Clock;
  #attempts = 0;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `connect` after a delay; returns false when the attempts are used up. */
  schedule(connect: () => void): boolean {
    if (this.#attempts >= maxAttempts) return false;
    this.#timer = this.#clock.setTimer(firstDelayMs * 2 ** this.#attempts, connect);
    this.#attempts++;
    return true;
  }

  /** Resets the count of attempts after the connection has worked. */
  succeeded(): void {
    this.#attempts = 0;
  }

  cancel(): void {
    this.#timer?.cancel();
  }
}
