import type { CallEvent } from '../../domain/calls/call-event.ts';

/** Number of events kept for readers that are behind. */
const maxKept = 1_000;
/** Maximum number of events that a reader takes at once. */
const maxTaken = 100;

/** The newest events of an organization, numbered, for any number of readers that each keep a position of their own. */
export class EventLog {
  #kept: CallEvent[] = [];
  #start = 0;
  readonly #maxKept: number;

  constructor(kept: number = maxKept) {
    this.#maxKept = kept;
  }

  /** The position behind the newest event. */
  get end(): number {
    return this.#start + this.#kept.length;
  }

  append(events: readonly CallEvent[]): void {
    this.#kept.push(...events);
    const dropped = this.#kept.length - this.#maxKept;
    if (dropped <= 0) return;
    this.#kept = this.#kept.slice(dropped);
    this.#start += dropped;
  }

  /** Returns the events from a position on, at most 100; null if some of them are not kept any more. */
  from(position: number): readonly CallEvent[] | null {
    const at = position - this.#start;
    return at < 0 ? null : this.#kept.slice(at, at + maxTaken);
  }
}
