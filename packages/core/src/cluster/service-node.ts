import type { CallCommandRecord, CommandOutcome } from '../domain/calls/call-control.ts';
import type { RandomBytes } from '../ids.ts';
import { LiveFeed, liveTopics } from '../live/live-feed.ts';
import type { Clock } from '../ports/clock.ts';
import type { NodeRecord, NodeState } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { CallFeed, storedTopic } from './call-feed.ts';
import { ClusterQuota } from './cluster-quota.ts';
import { Membership } from './membership.ts';
import { commandTopics, RemoteCommands } from './remote-commands.ts';

export interface ServiceNodeOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly name: string;
  readonly leaseMs: number;
  /** Maximum calls of all nodes together; null without a limit. */
  readonly maxCalls: number | null;
  readonly state: () => Omit<NodeState, 'id' | 'name'>;
  readonly onLost: (nodeIds: readonly string[]) => Promise<void>;
  readonly onTakenForDead: () => void;
  readonly carryOut: (record: CallCommandRecord) => Promise<CommandOutcome>;
}

/** This process as a member of the cluster of processes that share a storage; alone if the storage is private. */
export class ServiceNode {
  readonly feed: CallFeed;
  readonly live: LiveFeed;
  readonly quota: ClusterQuota;
  readonly #options: ServiceNodeOptions;
  readonly #membership: Membership;
  readonly #commands: RemoteCommands;
  #unsubscribe: () => Promise<void> = async () => {};

  constructor(options: ServiceNodeOptions) {
    const cluster = options.storage.cluster ?? null;
    const parts = { ...options, cluster, nodeId: () => this.id, isAlone: () => this.#membership.isAlone };
    this.#options = options;
    this.#membership = new Membership(parts);
    this.#commands = new RemoteCommands(parts);
    this.feed = new CallFeed({ ...parts, isShared: options.storage.capabilities.shared });
    this.live = new LiveFeed(parts);
    this.quota = new ClusterQuota({ ...parts, limit: options.maxCalls });
  }

  get id(): string {
    return this.#membership.id;
  }

  /** Returns true if no other process is known. */
  get isAlone(): boolean {
    return this.#membership.isAlone;
  }

  /** Returns true if calls of other processes can be controlled, because the storage has a cluster. */
  get hasOthers(): boolean {
    return this.#options.storage.cluster !== undefined;
  }

  /** Joins the cluster. Rejects if the storage refuses. */
  async start(): Promise<void> {
    const { cluster } = this.#options.storage;
    await this.#membership.start();
    this.#commands.start();
    if (cluster === undefined) return;
    this.#unsubscribe = cluster.subscribe({
      message: (topic, id) => this.#onMessage(topic, id),
      connected: () => {
        this.feed.wakeAll();
        this.#commands.look();
        this.#commands.wakeAll();
      },
    });
  }

  /** Publishes the state of this node at once. */
  async tell(): Promise<void> {
    await this.#membership.tell();
  }

  /** Sends a command to the process named in its record; see `RemoteCommands.ask`. */
  async ask(orgId: string, record: CallCommandRecord): Promise<CommandOutcome> {
    return await this.#commands.ask(orgId, record);
  }

  /** Returns all processes, this one included; empty for a private storage. */
  async nodes(): Promise<readonly NodeRecord[]> {
    return (await this.#options.storage.cluster?.nodes()) ?? [];
  }

  /** Returns the state of this process at present. */
  state(): NodeState {
    return this.#membership.state();
  }

  /** Leaves the cluster after the calls have ended. Never rejects. */
  async stop(): Promise<void> {
    this.feed.close();
    this.live.close();
    await this.#unsubscribe();
    await this.#commands.stop();
    await this.quota.settled();
    await this.#membership.stop();
  }

  #onMessage(topic: string, id: string): void {
    if (topic === storedTopic) this.feed.heard(id);
    else if (topic === liveTopics.event || topic === liveTopics.watched) this.live.heard(topic, id);
    else if (topic === commandTopics.answered) this.#commands.onAnswered(id);
    else if (topic === commandTopics.given) this.#commands.onGiven(id);
  }
}
