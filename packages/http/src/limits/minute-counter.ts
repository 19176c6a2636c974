import type { Clock } from '@va/core/adapter';

/** The rate-limit status of a key in the current minute. */
export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, Unix time in seconds. */
  readonly resetSeconds: number;
  /** Seconds until the window ends; at least 1. */
  readonly retryAfterSeconds: number;
  readonly isExceeded: boolean;
}

const minuteMs = 60_000;

/**
 * Counts requests by key in fixed one-minute windows, shared by all keys. The first request after the end of a window
 * drops the table, so that it holds only the keys of one minute. Around the end of a window a key can send twice its
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

  /** Number of keys in the current window. */
  get size(): number {
    return this.#window().size;
  }

  /** Returns true if the key was counted in the current window. */
  has(key: string): boolean {
    return this.#window().has(key);
  }

  /**
   * Counts a request and returns the status of its key.
   * @param limit requests per minute of this key; by default the limit of the counter
   */
  take(key: string, limit: number = this.#limit): RateStatus {
    const counts = this.#window();
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return this.#status(count, limit, this.#clock.wallMs());
  }

  /** Returns the status of a key without requests in this window. */
  unused(): RateStatus {
    return this.#status(0, this.#limit, this.#clock.wallMs());
  }

  /** Returns the counts of the current window. */
  #window(): Map<string, number> {
    const minute = Math.floor(this.#clock.wallMs() / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts = new Map();
    }
    return this.#counts;
  }

  #status(count: number, limit: number, nowMs: number): RateStatus {
    const minute = Math.floor(nowMs / minuteMs);
    const resetMs = (minute + 1) * minuteMs;
    return {
      limit,
      remaining: Math.max(0, limit - count),
      resetSeconds: resetMs / 1_000,
      retryAfterSeconds: Math.max(1, Math.ceil((resetMs - nowMs) / 1_000)),
      isExceeded: count > limit,
    };
  }
}
