import { type Clock, systemClock, type Timer } from '@va/core/adapter';

/** Clock of the system, or one that runs `speed` times as fast, with a count of its pending timers. */
export class CountingClock implements Clock {
  readonly #timers = new Set<object>();
  readonly #speed: number;

  constructor(speed: number = 1) {
    this.#speed = speed;
  }

  get pending(): number {
    return this.#timers.size;
  }

  nowMs(): number {
    return systemClock.nowMs() * this.#speed;
  }

  wallMs(): number {
    return systemClock.wallMs();
  }

  setTimer(delayMs: number, run: () => void): Timer {
    const key = {};
    this.#timers.add(key);
    const timer = systemClock.setTimer(delayMs / this.#speed, () => {
      this.#timers.delete(key);
      run();
    });
    return {
      cancel: () => {
        this.#timers.delete(key);
        timer.cancel();
      },
    };
  }
}
