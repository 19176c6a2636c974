import { Wakeup } from '../async/wakeup.ts';
import type { Clock } from '../ports/clock.ts';

/** Those who wait for something, by its name. */
export class Wakeups {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Wakeup>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From here on nothing of that name is missed, until it is done. */
  expect(name: string): { wait(limitMs: number): Promise<void>; done(): void } {
    const wakeup = new Wakeup(this.#clock);
    this.#waiting.set(name, wakeup);
    return { wait: (limitMs) => wakeup.wait(limitMs), done: () => void this.#waiting.delete(name) };
  }

  wake(name: string): void {
    this.#waiting.get(name)?.wake();
  }

  /** Something may have been missed. */
  wakeAll(): void {
    for (const wakeup of this.#waiting.values()) wakeup.wake();
  }
}
