import type { Clock, Timer } from '@va/core';

const mostAttempts = 3;
const firstDelayMs = 200;

/** The policy of connections that are remade: three attempts in a row, at growing distance. */
export class Reconnection {
  readonly #clock: Clock;
  #attempts = 0;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Has `connect` called after a pause; false when the attempts are used up. */
  schedule(connect: () => void): boolean {
    if (this.#attempts >= mostAttempts) return false;
    this.#timer = this.#clock.setTimer(firstDelayMs * 2 ** this.#attempts, connect);
    this.#attempts++;
    return true;
  }

  /** The connection has proved itself: the next loss starts to count anew. */
  succeeded(): void {
    this.#attempts = 0;
  }

  cancel(): void {
    this.#timer?.cancel();
  }
}
