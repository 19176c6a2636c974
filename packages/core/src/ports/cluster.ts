/** What a process tells of itself to the others on the same storage. */
export interface NodeState {
  /** A UUID; a process that was taken for dead comes back under another one. */
  readonly id: string;
  /** For people, such as a host's name. */
  readonly name: string;
  /** It takes no more calls. */
  readonly isDraining: boolean;
  readonly calls: number;
}

/** A process of the service, as the storage knows it. */
export interface NodeRecord extends NodeState {
  readonly startedAt: string;
  /** Until when it is taken for alive, by the storage's clock. */
  readonly expiresAt: string;
}

/** What comes of a subscription. Neither may throw. */
export interface ClusterListener {
  /** Something that another process, or this one, has published. */
  message(topic: string, id: string): void;
  /** Messages arrive from here on; any before it may be missed. Called again after each interruption. */
  connected(): void;
}

/**
 * How the processes of one service that share a storage know of each other. All times are by the clock of the storage,
 * so that those of the machines may differ.
 */
export interface Cluster {
  /** Begins a node's lease, for `leaseMs` from now. */
  join(node: NodeState, leaseMs: number): Promise<void>;
  /** Renews it. False where the node was taken for dead, which it stays. */
  renew(node: NodeState, leaseMs: number): Promise<boolean>;
  /** Takes the nodes whose leases are over for dead, and returns all that are, until they are removed. */
  takeLost(): Promise<readonly string[]>;
  remove(nodeId: string): Promise<void>;
  /** Those that are not taken for dead, the oldest first. */
  nodes(): Promise<readonly NodeRecord[]>;
  /**
   * Has the node hold so many seats, where those of all nodes that are not taken for dead are then no more than
   * `limit`, exactly, however many processes ask at once; null always succeeds. False, and nothing changed, where there
   * are not as many.
   */
  holdSeats(nodeId: string, seats: number, limit: number | null): Promise<boolean>;
  /** Tells all processes; what becomes of it is not known. Ids are short texts without spaces. */
  publish(topic: string, ids: readonly string[]): Promise<void>;
  /** Connects, and connects again whenever that breaks, until the returned function is called. Never rejects. */
  subscribe(listener: ClusterListener): () => Promise<void>;
}
