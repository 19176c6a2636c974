import type { Clock } from '@va/core/adapter';

/** A token bucket: up to `burst` at once, `perSecond` in the long run. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  #left: number;
  #atMs: number;

  constructor(clock: Clock, { perSecond, burst }: { readonly perSecond: number; readonly burst: number }) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#left = burst;
    this.#atMs = clock.nowMs();
  }

  /** Returns false if the limit is exceeded. */
  take(): boolean {
    const nowMs = this.#clock.nowMs();
    this.#left = Math.min(this.#burst, this.#left + ((nowMs - this.#atMs) / 1_000) * this.#perSecond);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
