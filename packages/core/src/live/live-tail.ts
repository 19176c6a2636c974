import { Wakeup } from '../async/wakeup.ts';
import type { LiveEvent } from '../domain/calls/live-event.ts';
import type { Clock } from '../ports/clock.ts';

/** Maximum events kept for a reader that is behind; each has a different call or type. */
const maxKept = 5_000;

/** The live events that a reader has not taken yet. A later event of the same call and type replaces an earlier one. */
export class LiveTail {
  readonly #wakeup: Wakeup;
  readonly #callId: string | null;
  #events = new Map<string, LiveEvent>();

  /** @param callId the only call of interest; null for all */
  constructor(clock: Clock, callId: string | null, signal: AbortSignal) {
    this.#wakeup = new Wakeup(clock, signal);
    this.#callId = callId;
  }

  add(event: LiveEvent): void {
    if (this.#callId !== null && event.call_id !== this.#callId) return;
    const key = `${event.call_id} ${event.type}`;
    if (this.#events.size >= maxKept && !this.#events.has(key)) return;
    this.#events.delete(key);
    this.#events.set(key, event);
    this.#wakeup.wake();
  }

  /** Returns the events since the last time, oldest first. */
  take(): readonly LiveEvent[] {
    if (this.#events.size === 0) return [];
    const events = [...this.#events.values()];
    this.#events = new Map();
    return events;
  }

  /** Resolves when there are events, the reader is aborted, or the time is over. */
  async wait(limitMs: number): Promise<void> {
    if (this.#events.size === 0) await this.#wakeup.wait(limitMs);
  }
}
