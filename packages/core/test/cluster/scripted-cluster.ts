import type { Cluster, ClusterListener, NodeRecord, NodeState } from '../../src/ports/cluster.ts';

/**
 * A cluster without a storage: records what it is asked, and fails while `failure` is set. Leases do not end by
 * themselves; a test moves nodes to `lost`.
 */
export class ScriptedCluster implements Cluster {
  readonly members = new Map<string, NodeState>();
  /** Nodes that are dead and not removed. */
  lost: string[] = [];
  failure: Error | null = null;
  /** Called by each method before it does anything. */
  before: () => void | Promise<void> = () => {};
  readonly holds: [nodeId: string, slots: number, limit: number | null][] = [];
  readonly published: [topic: string, ...ids: string[]][] = [];
  readonly removed: string[] = [];
  renewals = 0;
  mostAtOnce = 0;
  readonly #slots = new Map<string, number>();
  readonly #listeners = new Set<ClusterListener>();
  #atOnce = 0;

  async join(node: NodeState): Promise<void> {
    await this.#begin();
    this.members.set(node.id, node);
  }

  async renew(node: NodeState): Promise<boolean> {
    await this.#begin();
    this.renewals += 1;
    if (!this.members.has(node.id)) return false;
    this.members.set(node.id, node);
    return true;
  }

  async takeLost(): Promise<readonly string[]> {
    await this.#begin();
    return [...this.lost];
  }

  async remove(nodeId: string): Promise<void> {
    await this.#begin();
    this.removed.push(nodeId);
    this.members.delete(nodeId);
    this.lost = this.lost.filter((id) => id !== nodeId);
  }

  async nodes(): Promise<readonly NodeRecord[]> {
    await this.#begin();
    const at = '2026-01-01T09:00:00.000Z';
    return [...this.members.values()].map((node) => ({ ...node, startedAt: at, expiresAt: at }));
  }

  async holdCallSlots(nodeId: string, slots: number, limit: number | null): Promise<boolean> {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    try {
      await this.#begin();
    } finally {
      this.#atOnce -= 1;
    }
    this.holds.push([nodeId, slots, limit]);
    const others = [...this.#slots].reduce((sum, [id, held]) => (id === nodeId ? sum : sum + held), 0);
    if (limit !== null && others + slots > limit) return false;
    this.#slots.set(nodeId, slots);
    return true;
  }

  async publish(topic: string, ids: readonly string[]): Promise<void> {
    await this.#begin();
    this.published.push([topic, ...ids]);
    for (const listener of this.#listeners) for (const id of ids) listener.message(topic, id);
  }

  subscribe(listener: ClusterListener): () => Promise<void> {
    this.#listeners.add(listener);
    return async () => void this.#listeners.delete(listener);
  }

  async #begin(): Promise<void> {
    await this.before();
    if (this.failure !== null) throw this.failure;
  }
}
