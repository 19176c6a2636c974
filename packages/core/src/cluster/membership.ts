import { toError } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster, NodeState } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';

export interface MembershipOptions {
  /** Null if the storage is private to this process. */
  readonly cluster: Cluster | null;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly name: string;
  readonly leaseMs: number;
  readonly state: () => Omit<NodeState, 'id' | 'name'>;
  /** Called with dead nodes, whose calls must be ended. Called again for nodes for which it rejects. */
  readonly onLost: (nodeIds: readonly string[]) => Promise<void>;
  /** Called when another node has marked this process as dead and ended its calls. */
  readonly onTakenForDead: () => void;
}

/** Renewal attempts per lease. */
const triesPerLease = 3;

/**
 * Membership of this process: renews its lease and cleans up after nodes with expired ones.
 *
 * Marks no node as dead before this process has reached the storage without a failure for the time of a lease: after an
 * outage of the database, all living nodes renew their leases within that time.
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
  /** Start of the current period without a failed or late renewal. */
  #steadySinceMs: number | null = null;
  #lastBeatMs = 0;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#id = this.#newId();
  }

  get id(): string {
    return this.#id;
  }

  /** Returns true if no other process is known. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** Joins the cluster. Rejects if the storage does not register the node. */
  async start(): Promise<void> {
    const { cluster, clock } = this.#options;
    if (cluster === null) return;
    await this.#join(cluster);
    await this.#lookAround(cluster);
    this.#steadySinceMs = clock.nowMs();
    this.#lastBeatMs = clock.nowMs();
    this.#beatLater(cluster);
  }

  /** Publishes the state of this node at once, after a change such as the start of draining. */
  async tell(): Promise<void> {
    const { cluster, leaseMs, logger } = this.#options;
    if (cluster === null || this.#isStopped) return;
    await cluster
      .renew(this.state(), leaseMs)
      .catch((thrown: unknown) => logger.warn({ err: toError(thrown) }, 'failed to notify the other nodes'));
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

  /** Returns the state that this process publishes. */
  state(): NodeState {
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
    // After a suspension, other processes of the same machine may have been suspended too.
    if (startedMs - this.#lastBeatMs > leaseMs) this.#steadySinceMs = null;
    this.#lastBeatMs = startedMs;
    try {
      if (this.#hasJoined && !(await cluster.renew(this.state(), leaseMs))) {
        logger.error({ node: this.#id }, 'another node declared this one dead; ended its calls');
        this.#hasJoined = false;
        this.#id = this.#newId();
        onTakenForDead();
      }
      if (!this.#hasJoined) await this.#join(cluster);
      this.#steadySinceMs ??= startedMs;
      await this.#lookAround(cluster);
      // The lease is renewed meanwhile, so this may take long.
      if (clock.nowMs() - this.#steadySinceMs >= leaseMs) this.#clearing ??= this.#clearUp(cluster);
    } catch (thrown) {
      this.#steadySinceMs = null;
      logger.warn({ err: toError(thrown) }, 'failed to renew the lease of this node');
    }
  }

  async #join(cluster: Cluster): Promise<void> {
    await cluster.join(this.state(), this.#options.leaseMs);
    this.#hasJoined = true;
  }

  async #lookAround(cluster: Cluster): Promise<void> {
    this.#isAlone = (await cluster.nodes()).length <= 1;
  }

  /** Ends the calls of dead nodes and removes the nodes. Never rejects: the next heartbeat finds the rest. */
  async #clearUp(cluster: Cluster): Promise<void> {
    const { logger, onLost } = this.#options;
    try {
      const lost = await cluster.takeLost();
      if (lost.length > 0) {
        logger.warn({ nodes: lost }, 'nodes died; ending their calls');
        await onLost(lost);
        for (const nodeId of lost) await cluster.remove(nodeId);
      }
    } catch (thrown) {
      logger.warn({ err: toError(thrown) }, 'failed to end the calls of dead nodes; will retry');
    } finally {
      this.#clearing = null;
    }
  }
}
