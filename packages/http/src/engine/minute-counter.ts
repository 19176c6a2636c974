import type { Clock } from '@va/core';

/** Where a key stands in its minute. */
export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds. */
  readonly resetSeconds: number;
  /** Seconds until then; at least 1. */
  readonly retryAfterSeconds: number;
  readonly isExceeded: boolean;
}

const minuteMs = 60_000;

/**
 * Counts requests by key in windows of one minute of the wall clock, the same for all keys, so that at its end the whole
 * table goes at once: it never holds more keys than came within a minute. Around a window's end a key can have twice its
 * limit within a few seconds.
 */
export class MinuteCounter {
  readonly #clock: Clock;
  readonly #limit: number;
  #minute = Number.NaN;
  #counts = new Map<string, number>();

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Keys that it holds. */
  get size(): number {
    return this.#counts.size;
  }

  take(key: string): RateStatus {
    const nowMs = this.#clock.wallMs();
    const minute = Math.floor(nowMs / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return this.#status(count, nowMs);
  }

  /** The status of a key that has sent nothing in this minute. */
  unused(): RateStatus {
    return this.#status(0, this.#clock.wallMs());
  }

  #status(count: number, nowMs: number): RateStatus {
    const minute = Math.floor(nowMs / minuteMs);
    const resetMs = (minute + 1) * minuteMs;
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - count),
      resetSeconds: resetMs / 1_000,
      retryAfterSeconds: Math.max(1, Math.ceil((resetMs - nowMs) / 1_000)),
      isExceeded: count > this.#limit,
    };
  }
}
