import type { Clock } from '@va/core/adapter';

interface LoggedSource {
  loggedAtMs: number;
  suppressed: number;
}

const intervalMs = 60_000;
const maxSources = 1_024;

/** Limits log lines to one per source and minute, so that nobody can flood the log from outside. */
export class LogLimiter {
  readonly #clock: Clock;
  readonly #entries = new Map<string, LoggedSource>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the number of suppressed lines since the source's last one; null when this one is suppressed too. */
  take(source: string): number | null {
    const nowMs = this.#clock.nowMs();
    // When there are more sources than entries, such as forged ones, new ones share one entry.
    const key = this.#entries.has(source) || this.#makeRoom(nowMs) ? source : '';
    const entry = this.#entries.get(key);
    if (entry !== undefined && nowMs - entry.loggedAtMs < intervalMs) {
      entry.suppressed += 1;
      return null;
    }
    this.#entries.delete(key);
    this.#entries.set(key, { loggedAtMs: nowMs, suppressed: 0 });
    return entry?.suppressed ?? 0;
  }

  #makeRoom(nowMs: number): boolean {
    if (this.#entries.size < maxSources) return true;
    for (const [key, { loggedAtMs }] of this.#entries) {
      if (nowMs - loggedAtMs < intervalMs) break;
      this.#entries.delete(key);
    }
    return this.#entries.size < maxSources;
  }
}
