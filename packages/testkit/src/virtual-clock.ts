import type { Clock, Timer } from '@va/core/adapter';

interface PendingTimer {
  readonly dueAtMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Shared by all waits: a clock waits after each timer, 50 times per second of a call. */
function endOfTurn(resolve: () => void): void {
  setImmediate(resolve);
}

/**
 * A clock that advances only on request: a call of half an hour then takes milliseconds and is deterministic. Timers
 * due at the same time run in the order in which they were set.
 *
 * @example const clock = new VirtualClock(); const service = createVoiceAgents({ clock, … }); await
 *   clock.advance(30_000);
 */
export class VirtualClock implements Clock {
  readonly #timers = new Set<PendingTimer>();
  readonly #startedAtWallMs: number;
  #nowMs = 0;
  #order = 0;

  /** @param startedAt initial wall time */
  constructor(startedAt: Date = new Date('2026-01-01T09:00:00.000Z')) {
    this.#startedAtWallMs = startedAt.getTime();
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#startedAtWallMs + this.#nowMs;
  }

  setTimer(delayMs: number, run: () => void): Timer {
    const entry: PendingTimer = { dueAtMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.add(entry);
    return { cancel: () => this.#timers.delete(entry) };
  }

  /**
   * Advances by `ms`: runs each timer at its time, and between them all promises that are ready. Work that waits for
   * real I/O (a socket, a file) does not become ready by virtual time.
   */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await this.settle();
    for (let next = this.#next(untilMs); next !== null; next = this.#next(untilMs)) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueAtMs);
      next.run();
      await this.settle();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  /**
   * Advances by `ms` without running anything, as while the event loop is blocked: timers that were due meanwhile run
   * late, at the next `advance`.
   */
  block(ms: number): void {
    this.#nowMs += ms;
  }

  /** Resolves after the promises that are ready, and those they make ready, have run. */
  protected settle(): Promise<void> {
    return new Promise(endOfTurn);
  }

  #next(untilMs: number): PendingTimer | null {
    let next: PendingTimer | null = null;
    for (const entry of this.#timers) {
      if (entry.dueAtMs > untilMs) continue;
      const earlier =
        next === null || entry.dueAtMs < next.dueAtMs || (entry.dueAtMs === next.dueAtMs && entry.order < next.order);
      if (earlier) next = entry;
    }
    return next;
  }
}
