import { recentMinutes } from '../domain/deployment/node-details.ts';
import type { Clock } from '../ports/clock.ts';

const minuteMs = 60_000;

/** Counts events of the last 15 minutes, to the minute. */
export class RecentCount {
  readonly #clock: Clock;
  /** Counts by the number of their minute, the oldest first. */
  readonly #minutes = new Map<number, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(): void {
    const minute = this.#forget();
    this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + 1);
  }

  get value(): number {
    this.#forget();
    return [...this.#minutes.values()].reduce((sum, count) => sum + count, 0);
  }

  #forget(): number {
    const minute = Math.floor(this.#clock.nowMs() / minuteMs);
    for (const each of this.#minutes.keys()) if (each <= minute - recentMinutes) this.#minutes.delete(each);
    return minute;
  }
}
