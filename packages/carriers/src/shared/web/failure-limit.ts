import type { Clock } from '@va/core/adapter';

/** Failed checks per second above which webhooks of unknown accounts are refused without a look-up. */
const maxFailuresPerSecond = 20;
/** Maximum number of remembered authenticated accounts; the oldest one is evicted. */
const maxKnown = 1_024;

/**
 * Limits the cost of unauthenticated webhooks, each of which needs a look-up and a signature check. Accounts with an
 * authenticated webhook are never refused.
 */
export class FailureLimit {
  readonly #clock: Clock;
  readonly #known = new Set<string>();
  #second = 0;
  #failures = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  mayTry(account: string): boolean {
    return this.#known.has(account) || this.#count() < maxFailuresPerSecond;
  }

  failed(account: string): void {
    if (!this.#known.has(account)) this.#failures = this.#count() + 1;
  }

  succeeded(account: string): void {
    this.#known.delete(account);
    this.#known.add(account);
    const [oldest] = this.#known;
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Returns the number of failures within the current second. */
  #count(): number {
    const second = Math.floor(this.#clock.nowMs() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#failures = 0;
    }
    return this.#failures;
  }
}
