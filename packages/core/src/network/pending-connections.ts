import { sourceKey } from './source-key.ts';

/** Limits of `PendingConnections`. */
export interface PendingConnectionsOptions {
  readonly max: number;
  /** Limit for one IPv4 address or one /64 of IPv6. */
  readonly maxPerAddress: number;
}

interface PendingConnection {
  readonly address: string | null;
  readonly evict: () => void;
}

/**
 * Connections whose far end has not authenticated yet. Beyond the limits the oldest one is closed, preferably one of
 * the same address. An honest far end authenticates within a round trip, so connections that an attacker leaves open do
 * not keep others out.
 */
export class PendingConnections {
  readonly #options: PendingConnectionsOptions;
  /** In the order of their arrival. */
  readonly #all = new Set<PendingConnection>();
  readonly #byAddress = new Map<string, Set<PendingConnection>>();

  constructor(options: PendingConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  /**
   * Adds a connection. Returns an idempotent function that removes it, for when its far end is known or it is closed.
   *
   * @param address of the client; null if unknown, which only the limit of all connections applies to
   * @param evict closes the connection, because others need its place
   */
  add(address: string | null | undefined, evict: () => void): () => void {
    const pending: PendingConnection = { address: address == null ? null : sourceKey(address), evict };
    const { max, maxPerAddress } = this.#options;
    const alike = pending.address === null ? null : this.#byAddress.get(pending.address);
    if (alike != null && alike.size >= maxPerAddress) this.#evictOldest(alike);
    if (this.#all.size >= max) this.#evictOldest(this.#all);
    this.#all.add(pending);
    if (pending.address !== null) this.#of(pending.address).add(pending);
    return () => this.#remove(pending);
  }

  #of(address: string): Set<PendingConnection> {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    const created = new Set<PendingConnection>();
    this.#byAddress.set(address, created);
    return created;
  }

  #evictOldest(connections: ReadonlySet<PendingConnection>): void {
    const [oldest] = connections;
    if (oldest === undefined) return;
    this.#remove(oldest);
    oldest.evict();
  }

  #remove(pending: PendingConnection): void {
    this.#all.delete(pending);
    if (pending.address === null) return;
    const alike = this.#byAddress.get(pending.address);
    alike?.delete(pending);
    if (alike?.size === 0) this.#byAddress.delete(pending.address);
  }
}
