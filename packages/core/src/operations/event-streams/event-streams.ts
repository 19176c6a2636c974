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
  /** Reports when something was stored; without one it is looked for once a second. */
  readonly feed?: Pick<CallFeed, 'watch'> | undefined;
}

interface Shared {
  readonly poller: EventPoller;
  readonly log: EventLog;
  readonly tails: Set<EventTail>;
}

/**
 * Feeds the event streams of this process: one poller for each organization that has streams, however many these are. A
 * slow stream costs no memory, as its position in the log is all that is kept of it; one that falls behind the log
 * reads what it missed from the storage.
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  /**
   * Joins the stream of an organization's events. Resolves when every event that is stored from then on will be in the
   * tail.
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
