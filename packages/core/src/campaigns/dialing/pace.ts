const minuteMs = 60_000;

/** Calls that may be dialed at an instant, and when the next ones may be. */
export interface Allowance {
  readonly calls: number;
  /** Time at which at least one call is allowed: now if `calls` is positive. */
  readonly nextAtMs: number;
}

/**
 * Pace of a campaign: at most `callsPerMinute` calls in any 60 s, spread over the minute. The calls of one second may
 * start at once, so that a scheduler that runs once a second can use the whole pace. The algorithm is the generic cell
 * rate algorithm (GCRA), whose state is one instant.
 *
 * @see ITU-T I.371, annex A
 */
export class Pace {
  readonly #stepMs: number;
  readonly #burst: number;

  constructor(callsPerMinute: number) {
    this.#burst = Math.ceil(callsPerMinute / 60);
    // A burst and one call per step add up to the calls of a minute.
    this.#stepMs = minuteMs / (callsPerMinute - this.#burst + 1);
  }

  /** @param pacedUntilMs the last result of `after`; null before the first call */
  allowance(pacedUntilMs: number | null, nowMs: number): Allowance {
    const fromMs = (pacedUntilMs ?? 0) - (this.#burst - 1) * this.#stepMs;
    if (fromMs > nowMs) return { calls: 0, nextAtMs: Math.ceil(fromMs) };
    // The upper limit is exact. A difference of two epoch times is rounded, so that whole steps may come out slightly
    // shorter.
    const spareMs = Math.min(nowMs - fromMs, (this.#burst - 1) * this.#stepMs);
    return { calls: Math.floor(spareMs / this.#stepMs + 1e-9) + 1, nextAtMs: nowMs };
  }

  /** Returns the state after the given number of calls dialed now. */
  after(pacedUntilMs: number | null, nowMs: number, calls: number): number {
    return Math.max(pacedUntilMs ?? 0, nowMs) + calls * this.#stepMs;
  }
}
