import type { NodeDetails } from '../domain/deployment/node-details.ts';
import type { NodeTrunkHealth } from '../domain/numbers/trunk-health.ts';

/** Facts that a process publishes to the others on the same storage. */
export interface NodeState {
  /** UUID. A process that was marked as dead joins again with a new id. */
  readonly id: string;
  /** Readable name, such as the host name. */
  readonly name: string;
  /** True if it accepts no more calls. */
  readonly isDraining: boolean;
  readonly calls: number;
  /** Published as JSON. Processes of other versions may publish other fields. */
  readonly details?: NodeDetails | null;
}

/** A process of the service as stored. */
export interface NodeRecord extends NodeState {
  readonly startedAt: string;
  /** End of its lease, by the storage's clock. */
  readonly expiresAt: string;
  /** Time of the last renewal by the storage's clock; null if the node does not publish it. */
  readonly renewedAt?: string | null;
  /** True if the lease has ended. */
  readonly isExpired?: boolean;
}

/** Health of a trunk, as a node has published it. */
export interface PublishedTrunkHealth {
  readonly nodeId: string;
  readonly trunkId: string;
  readonly health: NodeTrunkHealth;
}

/** Callbacks of a subscription. MUST NOT throw. */
export interface ClusterListener {
  /** Called with each message published by any process, this one included. */
  message(topic: string, id: string): void;
  /** Called once the subscription is active, also after each reconnect. Messages published before may be lost. */
  connected(): void;
}

/**
 * Membership and messages of the processes that share a storage. All times are by the storage's clock, so that the
 * machines' clocks may differ.
 */
export interface Cluster {
  /** Starts a node's lease of `leaseMs`. */
  join(node: NodeState, leaseMs: number): Promise<void>;
  /** Renews the lease. Returns false if the node was marked as dead, which is final. */
  renew(node: NodeState, leaseMs: number): Promise<boolean>;
  /** Marks nodes with expired leases as dead, and returns all dead ones until they are removed. */
  takeLost(): Promise<readonly string[]>;
  remove(nodeId: string): Promise<void>;
  /** Returns the nodes that are not dead, the oldest first. */
  nodes(): Promise<readonly NodeRecord[]>;
  /**
   * Sets the number of call slots that a node holds, if all live nodes together then hold no more than `limit` (null
   * for no limit); exact under concurrency. Returns false, and changes nothing, if they would hold more, or if the node
   * is not alive.
   */
  holdCallSlots(nodeId: string, slots: number, limit: number | null): Promise<boolean>;
  /** Replaces all trunk health that the node has published. `health` is keyed by trunk id; deleted with the node. */
  publishTrunkHealth?(nodeId: string, health: Readonly<Record<string, NodeTrunkHealth>>): Promise<void>;
  /** Returns the health of these trunks that live nodes have published. */
  trunkHealth?(trunkIds: readonly string[]): Promise<readonly PublishedTrunkHealth[]>;
  /** Publishes to all processes without acknowledgement. Ids are short texts without spaces. */
  publish(topic: string, ids: readonly string[]): Promise<void>;
  /** Subscribes and reconnects after interruptions, until the returned function is called. Never rejects. */
  subscribe(listener: ClusterListener): () => Promise<void>;
}
