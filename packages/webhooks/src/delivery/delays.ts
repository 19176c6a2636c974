import type { Clock } from '@va/core/adapter';

/** Cancellable delays on the injected clock. A delay that ends early leaves no timer behind. */
export class Delays {
  readonly #clock: Clock;
  readonly #ends = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after the delay, or when all delays are cancelled. */
  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.#ends.delete(end);
        resolve();
      };
      const timer = this.#clock.setTimer(delayMs, end);
      this.#ends.add(end);
    });
  }

  endAll(): void {
    for (const end of [...this.#ends]) end();
  }

  /** Resolves when the work is done, after `limitMs`, or on abort, whichever is first. */
  race(work: Promise<void>, limitMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = this.#clock.setTimer(limitMs, end);
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
      void work.then(end, end);
    });
  }
}
