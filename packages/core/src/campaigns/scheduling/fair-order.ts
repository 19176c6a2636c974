import type { Owned } from '../../ports/storage/collection.ts';

/** Beyond this the order begins anew: it is about the next seconds. */
const maxKnown = 10_000;

/** Whose turn it is: organizations by how long ago they had one here, whatever the number of their campaigns. */
export class Turns {
  /** When each organization had its last turn. */
  readonly #last = new Map<string, number>();
  #turn = 0;

  /** All of them: one of each organization, then the second of each, and so on. Within an organization they keep their order. */
  inOrder<T>(due: readonly Owned<T>[]): Owned<T>[] {
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

  had(orgId: string): void {
    if (this.#last.size >= maxKnown) this.#last.clear();
    this.#turn += 1;
    this.#last.set(orgId, this.#turn);
  }

  #lastOf(orgId: string): number {
    return this.#last.get(orgId) ?? 0;
  }
}
