import type { NodeTrunkHealth } from '../domain/numbers/trunk-health.ts';
import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster, PublishedTrunkHealth } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';
import type { OwnTrunkHealth } from './own-trunk-health.ts';

/** Minimum interval between two writes of a node, however many trunks it has. */
const publishEveryMs = 15_000;

export interface ClusterTrunkHealthOptions {
  readonly own: Pick<OwnTrunkHealth, 'byTrunk'>;
  readonly cluster: Cluster | null;
  readonly nodeId: () => string;
  readonly isAlone: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Publishes the health of trunks that this process knows, and reads that of all nodes. */
export class ClusterTrunkHealth {
  readonly #options: ClusterTrunkHealthOptions;
  #timer: Timer | null = null;
  #publishing: Promise<void> = Promise.resolve();
  #published = '';
  #isStopped = false;

  constructor(options: ClusterTrunkHealthOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#options.cluster?.publishTrunkHealth === undefined || this.#isStopped) return;
    this.#timer = this.#options.clock.setTimer(publishEveryMs, () => {
      this.#publishing = this.#publish().finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#publishing;
  }

  /** Returns the health of these trunks on each node: that of this process is current, others' is up to 15 s old. */
  async of(trunkIds: readonly string[]): Promise<readonly PublishedTrunkHealth[]> {
    const { cluster, nodeId, isAlone } = this.#options;
    const id = nodeId();
    const own = this.#options.own.byTrunk();
    const known = trunkIds.flatMap((trunkId): PublishedTrunkHealth[] => {
      const health = own.get(trunkId);
      return health === undefined ? [] : [{ nodeId: id, trunkId, health }];
    });
    if (cluster?.trunkHealth === undefined || isAlone()) return known;
    const others = await cluster.trunkHealth(trunkIds);
    return [...known, ...others.filter((each) => each.nodeId !== id)];
  }

  /** Never rejects: after a failure, the next interval publishes again. */
  async #publish(): Promise<void> {
    const { own, cluster, nodeId, isAlone, logger } = this.#options;
    if (isAlone()) return;
    const health: Record<string, NodeTrunkHealth> = Object.fromEntries(own.byTrunk());
    const id = nodeId();
    const written = JSON.stringify([id, health]);
    if (written === this.#published || (this.#published === '' && Object.keys(health).length === 0)) return;
    try {
      await cluster?.publishTrunkHealth?.(id, health);
      this.#published = written;
    } catch (thrown) {
      logger.debug({ err: toError(thrown) }, 'failed to publish the health of trunks');
    }
  }
}
