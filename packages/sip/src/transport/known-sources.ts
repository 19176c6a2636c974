import type { Clock } from '@va/core/adapter';

const maxSources = 4_096;

/** Addresses that are trusted for a limited time. The number is bounded: the oldest entry is dropped first. */
export class KnownSources {
  readonly #clock: Clock;
  readonly #lifeMs: number;
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock, lifeMs: number) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
  }

  add(address: string): void {
    this.#untilMs.delete(address);
    this.#untilMs.set(address, this.#clock.nowMs() + this.#lifeMs);
    const [oldest] = this.#untilMs.keys();
    if (this.#untilMs.size > maxSources && oldest !== undefined) this.#untilMs.delete(oldest);
  }

  has(address: string): boolean {
    return (this.#untilMs.get(address) ?? Number.NEGATIVE_INFINITY) > this.#clock.nowMs();
  }
}
