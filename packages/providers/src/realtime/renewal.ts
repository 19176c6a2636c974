import type { Clock, Timer } from '@va/core/adapter';

/** Fraction of a session's maximum duration after which a pause is used to renew it. */
const dueAfter = 0.9;

/** Decides when to replace a connection, so that the provider does not end it in the middle of a word. */
export class Renewal {
  readonly #clock: Clock;
  readonly #maxSessionMs: number;
  readonly #isIdle: () => boolean;
  readonly #renew: () => void;
  #due: Timer | undefined;
  #limit: Timer | undefined;
  #isDue = false;

  constructor(clock: Clock, maxSessionMs: number, isIdle: () => boolean, renew: () => void) {
    this.#clock = clock;
    this.#maxSessionMs = maxSessionMs;
    this.#isIdle = isIdle;
    this.#renew = renew;
  }

  /** Starts the timers of a new session. */
  start(): void {
    this.stop();
    this.#due = this.#clock.setTimer(this.#maxSessionMs * dueAfter, () => {
      this.#isDue = true;
      this.check();
    });
    this.#limit = this.#clock.setTimer(this.#maxSessionMs, this.#renew);
  }

  /** Renews the session if that is due and there is neither an open turn nor a response. */
  check(): void {
    if (this.#isDue && this.#isIdle()) this.#renew();
  }

  stop(): void {
    this.#isDue = false;
    this.#due?.cancel();
    this.#limit?.cancel();
  }
}
