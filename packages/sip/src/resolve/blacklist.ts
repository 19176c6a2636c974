import type { Clock } from '@va/core';
import type { Target } from '../transport/transport-layer.ts';

interface Failure {
  readonly untilMs: number;
  readonly count: number;
}

const firstMs = 30_000;
const longestMs = 600_000;
const maxTargets = 1_024;

export function targetKey({ transport, address, port }: Target): string {
  return `${transport}|${address}|${port}`;
}

/**
 * Targets that failed lately. Each failure in a row keeps one out twice as long, from 30 s up to ten minutes.
 * @see RFC 3263 §4.3
 */
export class Blacklist {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failure>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(target: Target): boolean {
    const failure = this.#failures.get(targetKey(target));
    return failure !== undefined && failure.untilMs > this.#clock.nowMs();
  }

  /** @param forMs how long the target itself asks to be left alone, as Retry-After does */
  add(target: Target, forMs?: number): void {
    const key = targetKey(target);
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const ms = Math.min(longestMs, forMs ?? firstMs * 2 ** Math.min(count - 1, 10));
    this.#failures.delete(key);
    this.#failures.set(key, { count, untilMs: this.#clock.nowMs() + ms });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > maxTargets && oldest !== undefined) this.#failures.delete(oldest);
  }

  remove(target: Target): void {
    this.#failures.delete(targetKey(target));
  }

  /** Those that failed come last, in case that nothing else is left. */
  order(targets: readonly Target[]): Target[] {
    const good = targets.filter((each) => !this.has(each));
    return good.length === targets.length ? good : [...good, ...targets.filter((each) => this.has(each))];
  }
}
