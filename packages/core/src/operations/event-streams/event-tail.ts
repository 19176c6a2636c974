import { Wakeup } from '../../async/wakeup.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventLog } from './event-log.ts';

/** Position of one stream in the log shared by the streams of its organization. */
export class EventTail {
  readonly #log: EventLog;
  readonly #wakeup: Wakeup;
  readonly #onLeave: () => void;
  #position: number;
  #error: Error | null = null;

  constructor(clock: Clock, log: EventLog, signal: AbortSignal, onLeave: () => void) {
    this.#log = log;
    this.#wakeup = new Wakeup(clock, signal);
    this.#onLeave = onLeave;
    this.#position = log.end;
  }

  /**
   * Returns the next events, possibly none; null if the stream fell behind the log: then `skip` and read from the
   * storage.
   * @throws Error that stopped the poller
   */
  take(): readonly CallEvent[] | null {
    if (this.#error !== null) throw this.#error;
    const events = this.#log.from(this.#position);
    this.#position += events?.length ?? 0;
    return events;
  }

  /** Moves to the end of the log. */
  skip(): void {
    this.#position = this.#log.end;
  }

  /** Resolves when there are events, the poller has stopped, the stream is aborted, or the time is over. */
  async wait(limitMs: number): Promise<void> {
    if (this.#error === null && this.#position === this.#log.end) await this.#wakeup.wait(limitMs);
  }

  wake(): void {
    this.#wakeup.wake();
  }

  fail(error: Error): void {
    this.#error = error;
    this.wake();
  }

  leave(): void {
    this.#onLeave();
  }
}
