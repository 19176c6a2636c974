import type { Clock } from '@va/core';

interface Entry {
  loggedAtMs: number;
  suppressed: number;
}

const intervalMs = 60_000;
const maxSources = 1_024;

/** Lets one line per source and minute into the log, so that nobody can fill it from outside. */
export class LogLimiter {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns how many lines of the source were left out since its last one; null when this one is left out too. */
  take(source: string): number | null {
    const nowMs = this.#clock.nowMs();
    // With more sources than fit, such as forged ones, those that are new share one entry.
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
