import { type Clock, systemClock } from '@va/core/adapter';

/**
 * Work that takes real time: a model over the network, a handler that queries a database. While any is pending, virtual
 * time passes no faster than real time; otherwise it runs freely.
 */
export class OutsideWork {
  readonly #realClock: Clock;
  #going = 0;
  #pacedUntilMs = 0;

  /** @param realClock clock of the real time that the work takes */
  constructor(realClock: Clock = systemClock) {
    this.#realClock = realClock;
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#going += 1;
    try {
      return await work;
    } finally {
      this.#going -= 1;
    }
  }

  /** Waits for `work` within pending outside work that itself waits for virtual time, and so does not slow it down. */
  async inside<T>(work: Promise<T>): Promise<T> {
    this.#going -= 1;
    try {
      return await work;
    } finally {
      this.#going += 1;
    }
  }

  /** Resolves when `ms` of virtual time may pass. */
  async pace(ms: number): Promise<void> {
    const nowMs = this.#realClock.nowMs();
    if (this.#going === 0) return;
    // Small delays are compensated; time without pacing is not.
    const dueAtMs = Math.max(this.#pacedUntilMs, nowMs - ms) + ms;
    this.#pacedUntilMs = dueAtMs;
    await new Promise<void>((resolve) => {
      this.#realClock.setTimer(Math.max(0, dueAtMs - nowMs), resolve);
    });
  }
}
