import type { TrunkFacts } from '../domain/numbers/trunk-health.ts';
import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster, NodeTrunkFacts } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';
import type { TrunkBook } from './trunk-book.ts';

/** Minimum interval between two writes of a node, however many trunks it has. */
const publishEveryMs = 15_000;

export interface TrunkReportsOptions {
  readonly book: Pick<TrunkBook, 'facts'>;
  readonly cluster: Cluster | null;
  readonly nodeId: () => string;
  readonly isAlone: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Publishes what this process knows of trunks, and reads what the nodes know together. */
export class TrunkReports {
  readonly #options: TrunkReportsOptions;
  #timer: Timer | null = null;
  #publishing: Promise<void> = Promise.resolve();
  #published = '';
  #isStopped = false;

  constructor(options: TrunkReportsOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#options.cluster?.publishTrunks === undefined || this.#isStopped) return;
    this.#timer = this.#options.clock.setTimer(publishEveryMs, () => {
      this.#publishing = this.#publish().finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#publishing;
  }

  /** Returns what the nodes know of these trunks. The facts of this process are the present ones. */
  async of(trunkIds: readonly string[]): Promise<readonly NodeTrunkFacts[]> {
    const { book, cluster, nodeId, isAlone } = this.#options;
    const id = nodeId();
    const own = book.facts();
    const known = trunkIds.flatMap((trunkId): NodeTrunkFacts[] => {
      const facts = own.get(trunkId);
      return facts === undefined ? [] : [{ nodeId: id, trunkId, facts }];
    });
    if (cluster?.trunkFacts === undefined || isAlone()) return known;
    const others = await cluster.trunkFacts(trunkIds);
    return [...known, ...others.filter((each) => each.nodeId !== id)];
  }

  /** Never rejects: the next time comes soon. */
  async #publish(): Promise<void> {
    const { book, cluster, nodeId, isAlone, logger } = this.#options;
    if (isAlone()) return;
    const facts: Record<string, TrunkFacts> = Object.fromEntries(book.facts());
    const id = nodeId();
    const written = JSON.stringify([id, facts]);
    if (written === this.#published || (this.#published === '' && Object.keys(facts).length === 0)) return;
    try {
      await cluster?.publishTrunks?.(id, facts);
      this.#published = written;
    } catch (thrown) {
      logger.debug({ err: toError(thrown) }, 'failed to publish the health of trunks');
    }
  }
}
