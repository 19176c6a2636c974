import type { CallEvent } from '../../domain/calls/call-event.ts';

/** Events that are kept for readers that are behind. */
const maxKept = 1_000;
/** Events that a reader takes at once. */
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

  /** The next events from a position on; null where some of them are no longer kept. */
  from(position: number): readonly CallEvent[] | null {
    const at = position - this.#start;
    return at < 0 ? null : this.#kept.slice(at, at + maxTaken);
  }
}
