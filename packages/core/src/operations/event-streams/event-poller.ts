import { pause } from '../../async/pause.ts';
import { Wakeup } from '../../async/wakeup.ts';
import type { CallFeed } from '../../cluster/call-feed.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { eventPages, lateMs } from './event-pages.ts';
import { RecentEvents } from './recent-events.ts';

/** Maximum interval between reads while other processes may store events. */
const pollMs = 1_000;
/** Minimum interval between the starts of two reads; events stored in between are read together. */
const minGatherMs = 50;
/**
 * Interval between reads for each event of the last read. Each read repeats the events of the last second, so with many
 * events reads are less frequent, which limits them to a few percent of the processor.
 */
const gatherMsPerEvent = 1;
const maxGatherMs = 500;
/** Maximum delay with which most events are stored. A read looks back this far, or sometimes by `lateMs`. */
const oftenLateMs = 1_000;
const lookFarEveryMs = 5_000;

export interface EventPollerOptions {
  readonly storage: Pick<Storage, 'callEvents'>;
  readonly clock: Clock;
  /**
   * Passes on the events that this process stores, and reports when other processes have stored some. Without it the
   * poller reads once a second.
   */
  readonly feed?: Pick<CallFeed, 'watch' | 'isAlone'> | undefined;
  readonly orgId: string;
  readonly onEvents: (events: readonly CallEvent[]) => void;
  /** Called when a read failed; the poller has stopped. */
  readonly onError: (error: Error) => void;
}

/**
 * Follows the stored events of one organization until it is stopped: those of this process as it stores them, those of
 * other processes by reading the storage, after their notifications and once a second. If no other process shares the
 * storage, it is read only once, at the start.
 */
export class EventPoller {
  /** Resolves after the first read: every event stored from then on is reported. */
  readonly ready: Promise<void>;
  readonly #options: EventPollerOptions;
  readonly #stopping = new AbortController();
  readonly #seen: RecentEvents;
  /** Events that this process has stored and that were not passed on yet. */
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

  /** Passes on the events of this process; returns their number, known ones included. */
  #takeOwn(onEvents: (events: readonly CallEvent[]) => void): number {
    const own = this.#own;
    this.#own = [];
    const fresh = own.filter((event) => this.#seen.add(event));
    if (fresh.length > 0) onEvents(fresh);
    return own.length;
  }

  /** Reads and passes on new events. Returns the approximate number of events of the last second, with known ones. */
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
