import type { Owned } from '../../ports/storage/collection.ts';

/** Maximum organizations remembered. Beyond it all are forgotten: the order matters for the next seconds only. */
const maxKnown = 10_000;

/**
 * Fair order of turns: organizations by how long ago their last turn in this process was, however many campaigns they
 * have.
 */
export class FairOrder {
  /** Number of each organization's last turn. */
  readonly #last = new Map<string, number>();
  #turn = 0;

  /**
   * Returns one item of each organization, then the second of each, and so on. Items of an organization keep their
   * order.
   */
  arrange<T>(due: readonly Owned<T>[]): Owned<T>[] {
    const queues = new Map<string, Owned<T>[]>();
    for (const each of due) {
      const queue = queues.get(each.orgId);
      if (queue === undefined) queues.set(each.orgId, [each]);
      else queue.push(each);
    }
    const organizations = [...queues].sort(([a], [b]) => this.#lastOf(a) - this.#lastOf(b));
    const ordered: Owned<T>[] = [];
    for (let round = 0; ordered.length < due.length; round += 1) {
      for (const [, queue] of organizations) ordered.push(...queue.slice(round, round + 1));
    }
    return ordered;
  }

  recordTurn(orgId: string): void {
    if (this.#last.size >= maxKnown) this.#last.clear();
    this.#turn += 1;
    this.#last.set(orgId, this.#turn);
  }

  #lastOf(orgId: string): number {
    return this.#last.get(orgId) ?? 0;
  }
}
