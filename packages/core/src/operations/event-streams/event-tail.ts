import { Wakeup } from '../../async/wakeup.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventLog } from './event-log.ts';

/** The position of one stream in the log that it shares with the other streams of its organization. */
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
   * The next events, none where there are none yet, null where the stream fell behind what is kept: then `skip` and
   * read them from the storage.
   * @throws Error what made the poller stop
   */
  take(): readonly CallEvent[] | null {
    if (this.#error !== null) throw this.#error;
    const events = this.#log.from(this.#position);
    this.#position += events?.length ?? 0;
    return events;
  }

  /** Leaves out what the log has. */
  skip(): void {
    this.#position = this.#log.end;
  }

  /** Resolves when there are events to take, the poller has stopped, the stream is aborted, or the time is over. */
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
