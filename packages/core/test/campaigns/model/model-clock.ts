import type { Clock, Timer } from '@va/core/adapter';

/** A clock that only moves by jumps: timers that are due run after the jump, as in a process that was suspended. */
export class ModelClock implements Clock {
  readonly #timers = new Map<object, { readonly dueAtMs: number; readonly run: () => void }>();
  readonly #startedAtMs: number;
  #nowMs = 0;

  constructor(startedAt: string) {
    this.#startedAtMs = Date.parse(startedAt);
  }

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#startedAtMs + this.#nowMs;
  }

  setTimer(delayMs: number, run: () => void): Timer {
    const key = {};
    this.#timers.set(key, { dueAtMs: this.#nowMs + delayMs, run });
    return { cancel: () => void this.#timers.delete(key) };
  }

  jump(ms: number): void {
    this.#nowMs += ms;
    for (const [key, { dueAtMs, run }] of [...this.#timers]) {
      if (dueAtMs > this.#nowMs || !this.#timers.delete(key)) continue;
      run();
    }
  }
}
