import { toError } from '../errors.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';

export interface ClusterQuotaOptions {
  readonly cluster: Cluster | null;
  readonly logger: Logger;
  readonly nodeId: () => string;
  /** Maximum calls of all nodes together; null without a limit. */
  readonly limit: number | null;
}

/**
 * Share of this process in the cluster-wide call limit. Updates are sequential and state the held total, not a
 * difference, so that a lost one does no harm.
 */
export class ClusterQuota {
  readonly #options: ClusterQuotaOptions;
  #held = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isReleasing = false;

  constructor(options: ClusterQuotaOptions) {
    this.#options = options;
  }

  /** Acquires one call slot; returns false if all are taken. Rejects if the storage cannot be reached. */
  async acquire(): Promise<boolean> {
    const { cluster, limit, nodeId } = this.#options;
    if (limit === null) return true;
    if (cluster === null) {
      if (this.#held >= limit) return false;
      this.#held += 1;
      return true;
    }
    return await this.#inTurn(async () => {
      const isAcquired = await cluster.holdCallSlots(nodeId(), this.#held + 1, limit);
      if (isAcquired) this.#held += 1;
      return isAcquired;
    });
  }

  release(): void {
    const { cluster, limit, logger, nodeId } = this.#options;
    if (limit === null) return;
    this.#held -= 1;
    if (cluster === null || this.#isReleasing) return;
    this.#isReleasing = true;
    this.#inTurn(async () => {
      this.#isReleasing = false;
      await cluster.holdCallSlots(nodeId(), this.#held, null);
    }).catch((thrown: unknown) =>
      logger.warn({ err: toError(thrown) }, 'failed to release a call slot of the cluster'),
    );
  }

  /** Resolves when the storage has the current total. */
  async settled(): Promise<void> {
    await this.#last.catch(() => {});
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}
