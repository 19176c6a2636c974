import { pause } from '../../async/pause.ts';
import { Wakeup } from '../../async/wakeup.ts';
import type { CallFeed } from '../../cluster/call-feed.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { eventPages, lateMs } from './event-pages.ts';
import { RecentEvents } from './recent-events.ts';

/** Maximum time between two reads while other processes may store something. */
const pollMs = 1_000;
/** Minimum time between the starts of two reads: what is stored in between is read together. */
const minGatherMs = 50;
/**
 * Each read repeats the events of the last second: among many, reads are less frequent, so that their share of the
 * processor stays at some percent.
 */
const gatherMsPerEvent = 1;
const maxGatherMs = 500;
/** Most events are stored this late at most; only now and then is it looked for all late ones. */
const oftenLateMs = 1_000;
const lookFarEveryMs = 5_000;

export interface EventPollerOptions {
  readonly storage: Pick<Storage, 'callEvents'>;
  readonly clock: Clock;
  /** Passes on what this process stores, and reports what others store; without one the poller looks once a second. */
  readonly feed?: Pick<CallFeed, 'watch' | 'isAlone'> | undefined;
  readonly orgId: string;
  readonly onEvents: (events: readonly CallEvent[]) => void;
  /** Called when a read failed; the poller has stopped. */
  readonly onError: (error: Error) => void;
}

/**
 * Follows the stored events of one organization until it is stopped: those of this process as it stores them, those of
 * others by reading the storage, at their notifications and once a second. A process that is alone reads nothing.
 */
export class EventPoller {
  /** Resolves after the first read: every event stored from then on is reported. */
  readonly ready: Promise<void>;
  readonly #options: EventPollerOptions;
  readonly #stopping = new AbortController();
  readonly #seen: RecentEvents;
  /** Events of this process since the last time. */
  #own: CallEvent[] = [];
  /** True if another process may have stored events. */
  #hasChanged = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #lookedFarMs = Number.NEGATIVE_INFINITY;

  constructor(options: EventPollerOptions) {
    this.#options = options;
    this.#seen = new RecentEvents(options.clock.wallMs());
    // Skips the events stored before the first read.
    this.ready = this.#read(() => {}).then(() => {});
    void this.#run();
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { clock, feed, orgId, onEvents, onError } = this.#options;
    const { signal } = this.#stopping;
    const wakeup = new Wakeup(clock, signal);
    const unwatch = feed?.watch(orgId, {
      stored: (events) => {
        this.#own.push(...events);
        wakeup.wake();
      },
      changed: () => {
        this.#hasChanged = true;
        wakeup.wake();
      },
    });
    try {
      let beganMs = clock.nowMs();
      let gatherMs = minGatherMs;
      await this.ready;
      while (!signal.aborted) {
        await wakeup.wait(pollMs);
        const restMs = beganMs + gatherMs - clock.nowMs();
        if (restMs > 0) await pause(restMs, clock, signal);
        if (signal.aborted) break;
        beganMs = clock.nowMs();
        const own = this.#takeOwn(onEvents);
        const read = this.#mustRead ? await this.#read(onEvents) : own;
        gatherMs = Math.min(maxGatherMs, Math.max(minGatherMs, read * gatherMsPerEvent));
      }
    } catch (thrown) {
      if (!signal.aborted) onError(toError(thrown));
    } finally {
      unwatch?.();
    }
  }

  get #mustRead(): boolean {
    const { clock, feed } = this.#options;
    if (this.#hasChanged) return true;
    return feed?.isAlone !== true && clock.nowMs() >= this.#readAtMs + pollMs - minGatherMs;
  }

  /** Returns the number of events. */
  #takeOwn(onEvents: (events: readonly CallEvent[]) => void): number {
    const own = this.#own;
    this.#own = [];
    const fresh = own.filter((event) => this.#seen.add(event));
    if (fresh.length > 0) onEvents(fresh);
    return own.length;
  }

  /** Returns about how many events a usual read has, those included that were read before. */
  async #read(onEvents: (events: readonly CallEvent[]) => void): Promise<number> {
    const { storage, clock, orgId } = this.#options;
    const { signal } = this.#stopping;
    this.#hasChanged = false;
    this.#readAtMs = clock.nowMs();
    const isFar = clock.nowMs() - this.#lookedFarMs >= lookFarEveryMs;
    if (isFar) this.#lookedFarMs = clock.nowMs();
    const fromMs = this.#seen.newestMs - (isFar ? lateMs : oftenLateMs);
    let read = 0;
    for await (const page of eventPages(storage, orgId, fromMs, signal)) {
      read += page.length;
      const fresh = page.filter((event) => this.#seen.add(event));
      if (fresh.length > 0 && !signal.aborted) onEvents(fresh);
    }
    return isFar ? Math.ceil(read * (oftenLateMs / lateMs)) : read;
  }
}
