import { toError } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster, NodeState } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';

export interface MembershipOptions {
  /** Null where the storage is this process's alone. */
  readonly cluster: Cluster | null;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly name: string;
  readonly leaseMs: number;
  readonly state: () => Pick<NodeState, 'isDraining' | 'calls'>;
  /** Nodes have died: what they ran is to be ended. Called again for those it rejects for. */
  readonly onLost: (nodeIds: readonly string[]) => Promise<void>;
  /** This process was taken for dead: what it ran until now has been ended by others. */
  readonly onTakenForDead: () => void;
}

/** In one lease it is tried so often to renew it. */
const triesPerLease = 3;

/**
 * This process as one of those on the same storage: it renews its lease, and clears up after those that do not.
 *
 * Nobody is taken for dead before this process itself has reached the storage for the time of a lease: after an outage
 * of the database, all of them come back at some moment within that time.
 */
export class Membership {
  readonly #options: MembershipOptions;
  #id: string;
  #hasJoined = false;
  #isAlone = true;
  #timer: Timer | null = null;
  #beating: Promise<void> = Promise.resolve();
  #clearing: Promise<void> | null = null;
  #isStopped = false;
  /** Since when each try to renew the lease came through in time. */
  #steadySinceMs: number | null = null;
  #lastBeatMs = 0;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#id = this.#newId();
  }

  get id(): string {
    return this.#id;
  }

  /** Whether no other process is known that could want to hear of anything. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** Rejects where the storage does not take the node in. */
  async start(): Promise<void> {
    const { cluster, clock } = this.#options;
    if (cluster === null) return;
    await this.#join(cluster);
    await this.#lookAround(cluster);
    this.#steadySinceMs = clock.nowMs();
    this.#lastBeatMs = clock.nowMs();
    this.#beatLater(cluster);
  }

  /** Tells the others of a change at once, such as that it takes no more calls. */
  async tell(): Promise<void> {
    const { cluster, leaseMs, logger } = this.#options;
    if (cluster === null || this.#isStopped) return;
    await cluster
      .renew(this.#state(), leaseMs)
      .catch((thrown: unknown) => logger.warn({ err: toError(thrown) }, 'the other nodes could not be told'));
  }

  async stop(): Promise<void> {
    const { cluster, logger } = this.#options;
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#beating;
    await this.#clearing;
    if (cluster === null || !this.#hasJoined) return;
    await cluster
      .remove(this.#id)
      .catch((thrown: unknown) => logger.warn({ err: toError(thrown) }, 'failed to deregister the node'));
  }

  #newId(): string {
    return uuidv7(this.#options.clock, this.#options.random);
  }

  #state(): NodeState {
    const { name, state } = this.#options;
    return { id: this.#id, name, ...state() };
  }

  #beatLater(cluster: Cluster): void {
    if (this.#isStopped) return;
    const { clock, leaseMs } = this.#options;
    this.#timer = clock.setTimer(leaseMs / triesPerLease, () => {
      this.#beating = this.#beat(cluster).finally(() => this.#beatLater(cluster));
    });
  }

  async #beat(cluster: Cluster): Promise<void> {
    const { clock, leaseMs, logger, onTakenForDead } = this.#options;
    const startedMs = clock.nowMs();
    // A process that stood still may be one of several on a machine that did.
    if (startedMs - this.#lastBeatMs > leaseMs) this.#steadySinceMs = null;
    this.#lastBeatMs = startedMs;
    try {
      if (this.#hasJoined && !(await cluster.renew(this.#state(), leaseMs))) {
        logger.error({ node: this.#id }, 'this node was taken for dead: its calls are ended');
        this.#hasJoined = false;
        this.#id = this.#newId();
        onTakenForDead();
      }
      if (!this.#hasJoined) await this.#join(cluster);
      this.#steadySinceMs ??= startedMs;
      await this.#lookAround(cluster);
      // The lease is renewed meanwhile, however long that takes.
      if (clock.nowMs() - this.#steadySinceMs >= leaseMs) this.#clearing ??= this.#clearUp(cluster);
    } catch (thrown) {
      this.#steadySinceMs = null;
      logger.warn({ err: toError(thrown) }, 'the lease of this node could not be renewed');
    }
  }

  async #join(cluster: Cluster): Promise<void> {
    await cluster.join(this.#state(), this.#options.leaseMs);
    this.#hasJoined = true;
  }

  async #lookAround(cluster: Cluster): Promise<void> {
    this.#isAlone = (await cluster.nodes()).length <= 1;
  }

  /** Never rejects: what is left is found at the next beat. */
  async #clearUp(cluster: Cluster): Promise<void> {
    const { logger, onLost } = this.#options;
    try {
      const lost = await cluster.takeLost();
      if (lost.length > 0) {
        logger.warn({ nodes: lost }, 'nodes have died: their calls are ended');
        await onLost(lost);
        for (const nodeId of lost) await cluster.remove(nodeId);
      }
    } catch (thrown) {
      logger.warn({ err: toError(thrown) }, 'the calls of nodes that died could not be ended yet');
    } finally {
      this.#clearing = null;
    }
  }
}
