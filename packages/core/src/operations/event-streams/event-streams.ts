import type { CallFeed } from '../../cluster/call-feed.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { EventLog } from './event-log.ts';
import { EventPoller } from './event-poller.ts';
import { EventTail } from './event-tail.ts';

export interface EventStreamsOptions {
  readonly storage: Pick<Storage, 'callEvents'>;
  readonly clock: Clock;
  /** Change feed of stored call events; polls once a second when absent. */
  readonly feed?: Pick<CallFeed, 'watch' | 'isAlone'> | undefined;
}

interface Shared {
  readonly poller: EventPoller;
  readonly log: EventLog;
  readonly tails: Set<EventTail>;
}

/**
 * Feeds the event streams of this process with one poller per organization, independent of the number of streams. A
 * slow stream costs no memory beyond its position in the log; one that falls behind the log reads from the storage.
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  /**
   * Joins the stream of an organization's events. Resolves when every event stored from then on will be in the tail.
   */
  async join(orgId: string, signal: AbortSignal): Promise<EventTail> {
    const shared = this.#shared.get(orgId) ?? this.#start(orgId);
    const tail: EventTail = new EventTail(this.#options.clock, shared.log, signal, () => {
      shared.tails.delete(tail);
      if (shared.tails.size === 0) this.#stop(orgId, shared);
    });
    shared.tails.add(tail);
    try {
      await shared.poller.ready;
    } catch (thrown) {
      tail.leave();
      throw thrown;
    }
    return tail;
  }

  #start(orgId: string): Shared {
    const log = new EventLog();
    const tails = new Set<EventTail>();
    const onEvents = (events: readonly CallEvent[]): void => {
      log.append(events);
      for (const tail of tails) tail.wake();
    };
    const onError = (error: Error): void => {
      if (this.#shared.get(orgId) === shared) this.#shared.delete(orgId);
      for (const tail of tails) tail.fail(error);
    };
    const shared = { log, tails, poller: new EventPoller({ ...this.#options, orgId, onEvents, onError }) };
    this.#shared.set(orgId, shared);
    return shared;
  }

  #stop(orgId: string, shared: Shared): void {
    shared.poller.stop();
    if (this.#shared.get(orgId) === shared) this.#shared.delete(orgId);
  }
}
