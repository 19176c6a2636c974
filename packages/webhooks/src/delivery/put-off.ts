import { type Clock, jobLeaseMs } from '@va/core';

/** How soon it is looked again whether what a message waits for is over. */
const heldUpMs = 5_000;

/** Beyond this, what is long due is forgotten: another process may have taken it. */
const maxKnown = 5_000;

/** When those jobs come up again that this process put off. */
export class PutOff {
  readonly #clock: Clock;
  readonly #dueMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(id: string): boolean {
    return this.#dueMs.has(id);
  }

  set(id: string, dueMs: number): void {
    this.#dueMs.set(id, dueMs);
  }

  /** They came up. */
  delete(ids: Iterable<string>): void {
    for (const id of ids) this.#dueMs.delete(id);
    if (this.#dueMs.size < maxKnown) return;
    const oldMs = this.#clock.nowMs() - 2 * jobLeaseMs;
    for (const [id, dueMs] of this.#dueMs) if (dueMs < oldMs) this.#dueMs.delete(id);
  }

  /** How long whoever waits for the job is to wait: a moment longer than it. */
  waitMs(id: string): number {
    const dueMs = this.#dueMs.get(id);
    return dueMs === undefined ? heldUpMs : Math.max(0, dueMs - this.#clock.nowMs()) + 100;
  }
}
