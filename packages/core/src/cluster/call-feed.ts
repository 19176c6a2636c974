import { EventEmitter } from 'eventemitter3';
import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';

/** The topic of calls of which something was stored. */
export const storedTopic = 'stored';

/** What is stored in so short a time is told of together. */
const gatherMs = 25;

export interface CallFeedOptions {
  readonly cluster: Cluster | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isAlone: () => boolean;
}

/**
 * Wakes those who watch calls when there is more to read of them, whichever process stored it. It carries no events:
 * those are read.
 */
export class CallFeed {
  readonly #options: CallFeedOptions;
  readonly #watchers = new EventEmitter();
  readonly #untold = new Set<string>();
  #timer: Timer | null = null;

  constructor(options: CallFeedOptions) {
    this.#options = options;
  }

  /** This process has stored something of a call. */
  stored(orgId: string, callId: string): void {
    this.#wake(orgId, callId);
    if (this.#options.cluster === null || this.#options.isAlone()) return;
    this.#untold.add(`${orgId}/${callId}`);
    this.#timer ??= this.#options.clock.setTimer(gatherMs, () => this.#tell());
  }

  /** Another process has. */
  heard(id: string): void {
    const [orgId = '', callId = ''] = id.split('/');
    this.#wake(orgId, callId);
  }

  /** Something may have been missed. */
  wakeAll(): void {
    for (const name of this.#watchers.eventNames()) this.#watchers.emit(name);
  }

  /**
   * Calls `wake` whenever something of the call, or of any call of the organization, was stored, until the returned
   * function is called.
   */
  watch(callOrOrganizationId: string, wake: () => void): () => void {
    this.#watchers.on(callOrOrganizationId, wake);
    return () => this.#watchers.off(callOrOrganizationId, wake);
  }

  /** Tells no more. */
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
      // Whoever watches looks for himself now and then.
      this.#options.logger.debug({ err: toError(thrown) }, 'other nodes could not be told of events');
    });
  }
}
