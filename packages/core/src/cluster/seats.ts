import { toError } from '../errors.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';

export interface SeatsOptions {
  readonly cluster: Cluster | null;
  readonly logger: Logger;
  readonly nodeId: () => string;
  /** How many calls all nodes may have together; null without a limit. */
  readonly limit: number | null;
}

/**
 * The calls that this process may have of those that all may have together. Each word to the others tells how many it
 * holds, not what has changed, so that one that was lost does no harm; they go one behind the other.
 */
export class Seats {
  readonly #options: SeatsOptions;
  #held = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isGivingBack = false;

  constructor(options: SeatsOptions) {
    this.#options = options;
  }

  /** False where all are taken. Rejects where that cannot be asked. */
  async take(): Promise<boolean> {
    const { cluster, limit, nodeId } = this.#options;
    if (limit === null) return true;
    if (cluster === null) {
      if (this.#held >= limit) return false;
      this.#held += 1;
      return true;
    }
    return await this.#inTurn(async () => {
      const taken = await cluster.holdSeats(nodeId(), this.#held + 1, limit);
      if (taken) this.#held += 1;
      return taken;
    });
  }

  give(): void {
    const { cluster, limit, logger, nodeId } = this.#options;
    if (limit === null) return;
    this.#held -= 1;
    if (cluster === null || this.#isGivingBack) return;
    this.#isGivingBack = true;
    this.#inTurn(async () => {
      this.#isGivingBack = false;
      await cluster.holdSeats(nodeId(), this.#held, null);
    }).catch((thrown: unknown) => logger.warn({ err: toError(thrown) }, 'a seat could not be given back yet'));
  }

  /** Resolves when the others know. */
  async settled(): Promise<void> {
    await this.#last.catch(() => {});
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}
