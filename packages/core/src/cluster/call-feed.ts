import { EventEmitter } from 'eventemitter3';
import type { CallEvent } from '../domain/calls/call-event.ts';
import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';

/** Topic of notifications about newly stored events; each id has the organization and the node that stored them. */
export const storedTopic = 'stored';

/** Interval within which changes are published together. */
const gatherMs = 25;

export interface CallFeedOptions {
  readonly cluster: Cluster | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Id of this process in the cluster. */
  readonly nodeId: () => string;
  readonly isAlone: () => boolean;
  /** True if other processes can use the same storage. */
  readonly isShared: boolean;
}

/** Watches the events of an organization's calls. */
export interface FeedWatcher {
  /** Called with events that this process has stored: in order for each call. */
  stored(events: readonly CallEvent[]): void;
  /** Called when other processes may have stored events; they have to be read. */
  changed(): void;
}

/**
 * Reports newly stored events of calls: to watchers in this process with the events; to other processes as a
 * notification, after which they read the events from the storage.
 */
export class CallFeed {
  readonly #options: CallFeedOptions;
  readonly #watchers = new EventEmitter<{ [orgId: string]: (events: readonly CallEvent[] | null) => void }>();
  readonly #untold = new Set<string>();
  #timer: Timer | null = null;

  constructor(options: CallFeedOptions) {
    this.#options = options;
  }

  /** Returns true if no other process is known that could store events. */
  get isAlone(): boolean {
    const { cluster, isAlone, isShared } = this.#options;
    return cluster === null ? !isShared : isAlone();
  }

  /** Publishes events of one call that this process has stored. */
  stored(orgId: string, events: readonly CallEvent[]): void {
    this.#watchers.emit(orgId, events);
    if (this.#options.cluster === null || this.#options.isAlone()) return;
    this.#untold.add(orgId);
    this.#timer ??= this.#options.clock.setTimer(gatherMs, () => this.#tell());
  }

  /** Handles a notification. Those of this process are ignored: its watchers have the events already. */
  heard(id: string): void {
    const [orgId = '', from] = id.split('/');
    if (from !== this.#options.nodeId()) this.#watchers.emit(orgId, null);
  }

  /** Wakes all watchers, because notifications may have been lost. */
  wakeAll(): void {
    for (const orgId of this.#watchers.eventNames()) this.#watchers.emit(orgId, null);
  }

  /** Watches the calls of an organization until the returned function is called. */
  watch(orgId: string, watcher: FeedWatcher): () => void {
    const listen = (events: readonly CallEvent[] | null): void => {
      if (events === null) watcher.changed();
      else watcher.stored(events);
    };
    this.#watchers.on(orgId, listen);
    return () => this.#watchers.off(orgId, listen);
  }

  /** Stops publishing. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#untold.clear();
  }

  #tell(): void {
    this.#timer = null;
    const { cluster, nodeId } = this.#options;
    const from = nodeId();
    const ids = [...this.#untold].map((orgId) => `${orgId}/${from}`);
    this.#untold.clear();
    cluster?.publish(storedTopic, ids).catch((thrown: unknown) => {
      // Ignored: watchers also poll.
      this.#options.logger.debug({ err: toError(thrown) }, 'failed to notify other nodes of events');
    });
  }
}
