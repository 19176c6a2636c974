import { Wakeup } from '../async/wakeup.ts';
import type { Clock } from '../ports/clock.ts';

/** Waits for wake-ups by name. */
export class Wakeups {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Wakeup>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Expects wake-ups of a name until `done` is called; one that comes before `wait` is not lost. */
  expect(name: string): { wait(limitMs: number): Promise<void>; done(): void } {
    const wakeup = new Wakeup(this.#clock);
    this.#waiting.set(name, wakeup);
    return { wait: (limitMs) => wakeup.wait(limitMs), done: () => void this.#waiting.delete(name) };
  }

  wake(name: string): void {
    this.#waiting.get(name)?.wake();
  }

  /** Wakes all waits, because notifications may have been lost. */
  wakeAll(): void {
    for (const wakeup of this.#waiting.values()) wakeup.wake();
  }
}
