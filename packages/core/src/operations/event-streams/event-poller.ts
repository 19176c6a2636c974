import { pause } from '../../async/pause.ts';
import { Wakeup } from '../../async/wakeup.ts';
import type { CallFeed } from '../../cluster/call-feed.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { eventPages, lateMs } from './event-pages.ts';
import { RecentEvents } from './recent-events.ts';

/** Maximum time between two reads when no feed reports that something was stored. */
const pollMs = 1_000;
/** Minimum time between the starts of two reads: what is stored in between is read together. */
const gatherMs = 50;
/** Most events are stored this late at most; only now and then is it looked for all late ones. */
const oftenLateMs = 1_000;
const lookFarEveryMs = 5_000;

export interface EventPollerOptions {
  readonly storage: Pick<Storage, 'callEvents'>;
  readonly clock: Clock;
  /** Reports when something was stored; without one the poller looks once a second. */
  readonly feed?: Pick<CallFeed, 'watch'> | undefined;
  readonly orgId: string;
  readonly onEvents: (events: readonly CallEvent[]) => void;
  /** Called when a read failed; the poller has stopped. */
  readonly onError: (error: Error) => void;
}

/** Polls the stored events of one organization until it is stopped. */
export class EventPoller {
  /** Resolves after the first read: every event stored from then on is reported. */
  readonly ready: Promise<void>;
  readonly #options: EventPollerOptions;
  readonly #stopping = new AbortController();
  readonly #seen: RecentEvents;
  #lookedFarMs = Number.NEGATIVE_INFINITY;

  constructor(options: EventPollerOptions) {
    this.#options = options;
    this.#seen = new RecentEvents(options.clock.wallMs());
    // Skips the events stored before the first read.
    this.ready = this.#read(() => {});
    void this.#run();
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { clock, feed, orgId, onEvents, onError } = this.#options;
    const { signal } = this.#stopping;
    const wakeup = new Wakeup(clock, signal);
    const unwatch = feed?.watch(orgId, () => wakeup.wake());
    try {
      let beganMs = clock.nowMs();
      await this.ready;
      while (!signal.aborted) {
        await wakeup.wait(pollMs);
        const restMs = beganMs + gatherMs - clock.nowMs();
        if (restMs > 0) await pause(restMs, clock, signal);
        if (signal.aborted) break;
        beganMs = clock.nowMs();
        await this.#read(onEvents);
      }
    } catch (thrown) {
      if (!signal.aborted) onError(toError(thrown));
    } finally {
      unwatch?.();
    }
  }

  async #read(onEvents: (events: readonly CallEvent[]) => void): Promise<void> {
    const { storage, clock, orgId } = this.#options;
    const { signal } = this.#stopping;
    const isFar = clock.nowMs() - this.#lookedFarMs >= lookFarEveryMs;
    if (isFar) this.#lookedFarMs = clock.nowMs();
    const fromMs = this.#seen.newestMs - (isFar ? lateMs : oftenLateMs);
    for await (const page of eventPages(storage, orgId, fromMs, signal)) {
      const fresh = page.filter((event) => this.#seen.add(event));
      if (fresh.length > 0 && !signal.aborted) onEvents(fresh);
    }
  }
}
