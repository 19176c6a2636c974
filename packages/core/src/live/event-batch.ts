import type { LiveEvent } from '../domain/calls/live-event.ts';
import type { Clock, Timer } from '../ports/clock.ts';

/** An event with the organization of its call. */
export interface OwnedEvent {
  readonly orgId: string;
  readonly event: LiveEvent;
}

/** Gathers events to publish them together. A later event of the same call and type replaces an earlier one. */
export class EventBatch {
  readonly #clock: Clock;
  readonly #gatherMs: number;
  readonly #publish: (events: readonly OwnedEvent[]) => void;
  readonly #events = new Map<string, OwnedEvent>();
  #timer: Timer | null = null;

  constructor(clock: Clock, gatherMs: number, publish: (events: readonly OwnedEvent[]) => void) {
    this.#clock = clock;
    this.#gatherMs = gatherMs;
    this.#publish = publish;
  }

  add(orgId: string, event: LiveEvent): void {
    this.#events.set(`${event.call_id} ${event.type}`, { orgId, event });
    this.#timer ??= this.#clock.setTimer(this.#gatherMs, () => {
      this.#timer = null;
      const events = [...this.#events.values()];
      this.#events.clear();
      this.#publish(events);
    });
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#events.clear();
  }
}
