import { type Clock, jobLeaseMs } from '@va/core/adapter';

/** Interval at which an unknown predecessor is checked again. */
const unknownPredecessorMs = 5_000;

/** Number of entries above which those long past their due time are dropped: another process may have taken them. */
const maxKnown = 5_000;

/** Due times of the webhooks that this process deferred. */
export class Deferred {
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

  /** Forgets webhooks that the queue has returned. */
  delete(ids: Iterable<string>): void {
    for (const id of ids) this.#dueMs.delete(id);
    if (this.#dueMs.size < maxKnown) return;
    const oldMs = this.#clock.nowMs() - 2 * jobLeaseMs;
    for (const [id, dueMs] of this.#dueMs) if (dueMs < oldMs) this.#dueMs.delete(id);
  }

  /**
   * Returns the delay of a webhook that waits for the given one: 100 ms more than the rest of its delay, or 5 s if this
   * process did not defer it.
   */
  waitMs(id: string): number {
    const dueMs = this.#dueMs.get(id);
    return dueMs === undefined ? unknownPredecessorMs : Math.max(0, dueMs - this.#clock.nowMs()) + 100;
  }
}
