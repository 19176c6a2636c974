import type { Clock } from '@va/core/adapter';
import type { Target } from '../transport/transport-layer.ts';

interface Failure {
  readonly untilMs: number;
  readonly count: number;
}

/** Time for which a target is avoided after its first failure. */
const firstMs = 30_000;
const longestMs = 600_000;
const maxRetryAfterMs = 3_600_000;
const maxTargets = 1_024;

export function targetKey({ transport, address, port }: Target): string {
  return `${transport}|${address}|${port}`;
}

/**
 * Targets that failed recently. Each consecutive failure doubles the time for which a target is avoided, from 30 s up
 * to ten minutes.
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

  /**
   * Records a failure of a target.
   * @param forMs time for which the target is known to be unavailable, such as from Retry-After; an hour at most. It
   *   does not count as another failure and never shortens the time for which the target is avoided.
   */
  add(target: Target, forMs?: number): void {
    const key = targetKey(target);
    const known = this.#failures.get(key);
    const count = (known?.count ?? 0) + (forMs === undefined ? 1 : 0);
    const ms = forMs === undefined ? Math.min(longestMs, firstMs * 2 ** Math.min(count - 1, 10)) : forMs;
    const untilMs = this.#clock.nowMs() + Math.min(ms, maxRetryAfterMs);
    this.#failures.delete(key);
    this.#failures.set(key, { count, untilMs: Math.max(untilMs, known?.untilMs ?? untilMs) });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > maxTargets && oldest !== undefined) this.#failures.delete(oldest);
  }

  remove(target: Target): void {
    this.#failures.delete(targetKey(target));
  }

  /** Returns the targets with those that failed recently last, as a fallback. */
  order(targets: readonly Target[]): Target[] {
    const good = targets.filter((each) => !this.has(each));
    return good.length === targets.length ? good : [...good, ...targets.filter((each) => this.has(each))];
  }
}
