import type { Clock } from '../ports/clock.ts';

/** Waits for a wake-up, which may have happened already, up to a time limit. */
export class Wakeup {
  readonly #clock: Clock;
  #isDue = false;
  #resolve: (() => void) | null = null;

  /** @param signal wakes up when it is aborted */
  constructor(clock: Clock, signal?: AbortSignal) {
    this.#clock = clock;
    if (signal?.aborted) this.wake();
    signal?.addEventListener('abort', () => this.wake(), { once: true });
  }

  wake(): void {
    this.#isDue = true;
    this.#resolve?.();
  }

  async wait(limitMs: number): Promise<void> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        const timer = this.#clock.setTimer(limitMs, resolve);
        this.#resolve = () => {
          timer.cancel();
          resolve();
        };
      });
    }
    this.#isDue = false;
    this.#resolve = null;
  }
}
