const minuteMs = 60_000;

/** How many calls may be dialed at an instant, and when more may be. */
export interface Allowance {
  readonly calls: number;
  /** When at least one more may be; now where some may be at once. */
  readonly nextAtMs: number;
}

/**
 * The pace of a campaign: in no minute, wherever it begins, more calls than `callsPerMinute`. They are spread over the minute; what it
 * has in a second may come at once, so that whoever looks once a second loses nothing. It is the generic cell rate algorithm, whose whole state is one instant.
 *
 * @see ITU-T I.371, annex A
 */
export class Pace {
  readonly #stepMs: number;
  readonly #burst: number;

  constructor(callsPerMinute: number) {
    this.#burst = Math.ceil(callsPerMinute / 60);
    // A burst, and then one each step, are as many as are allowed in a minute.
    this.#stepMs = minuteMs / (callsPerMinute - this.#burst + 1);
  }

  /** `pacedUntilMs` is what `after` gave last; null where there was no call. */
  allowance(pacedUntilMs: number | null, nowMs: number): Allowance {
    const fromMs = (pacedUntilMs ?? 0) - (this.#burst - 1) * this.#stepMs;
    if (fromMs > nowMs) return { calls: 0, nextAtMs: Math.ceil(fromMs) };
    const spareMs = nowMs - Math.max(fromMs, nowMs - (this.#burst - 1) * this.#stepMs);
    return { calls: Math.floor(spareMs / this.#stepMs + 1e-9) + 1, nextAtMs: nowMs };
  }

  /** Where so many calls dialed now leave it. */
  after(pacedUntilMs: number | null, nowMs: number, calls: number): number {
    return Math.max(pacedUntilMs ?? 0, nowMs) + calls * this.#stepMs;
  }
}
