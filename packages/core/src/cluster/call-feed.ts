import { EventEmitter } from 'eventemitter3';
import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';

/** Topic of calls with newly stored data. */
export const storedTopic = 'stored';

/** Interval within which changes are published together. */
const gatherMs = 25;

export interface CallFeedOptions {
  readonly cluster: Cluster | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isAlone: () => boolean;
}

/** Notifies watchers of calls that any process has stored new data. Carries no events: watchers read them. */
export class CallFeed {
  readonly #options: CallFeedOptions;
  readonly #watchers = new EventEmitter();
  readonly #untold = new Set<string>();
  #timer: Timer | null = null;

  constructor(options: CallFeedOptions) {
    this.#options = options;
  }

  /** Publishes that this process stored data of a call. */
  stored(orgId: string, callId: string): void {
    this.#wake(orgId, callId);
    if (this.#options.cluster === null || this.#options.isAlone()) return;
    this.#untold.add(`${orgId}/${callId}`);
    this.#timer ??= this.#options.clock.setTimer(gatherMs, () => this.#tell());
  }

  /** Handles a notification of another process. */
  heard(id: string): void {
    const [orgId = '', callId = ''] = id.split('/');
    this.#wake(orgId, callId);
  }

  /** Wakes all watchers, because notifications may have been lost. */
  wakeAll(): void {
    for (const name of this.#watchers.eventNames()) this.#watchers.emit(name);
  }

  /**
   * Calls `wake` whenever data of the call, or of any call of the organization, was stored. Returns a function that
   * removes it.
   */
  watch(callOrOrganizationId: string, wake: () => void): () => void {
    this.#watchers.on(callOrOrganizationId, wake);
    return () => this.#watchers.off(callOrOrganizationId, wake);
  }

  /** Stops publishing. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#untold.clear();
  }

  #wake(orgId: string, callId: string): void {
    this.#watchers.emit(callId);
    this.#watchers.emit(orgId);
  }

  #tell(): void {
    this.#timer = null;
    const ids = [...this.#untold];
    this.#untold.clear();
    this.#options.cluster?.publish(storedTopic, ids).catch((thrown: unknown) => {
      // Ignored: watchers also poll.
      this.#options.logger.debug({ err: toError(thrown) }, 'failed to notify other nodes of events');
    });
  }
}
