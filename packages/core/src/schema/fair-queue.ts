/** Queue that serves its keys in turn: many items of one key delay each item of another key by one item only. */
export class FairQueue<T> {
  readonly #maxPerKey: number;
  readonly #waiting = new Map<string, T[]>();

  constructor(maxPerKey: number) {
    this.#maxPerKey = maxPerKey;
  }

  /** Returns false if the key has its maximum of waiting items. */
  push(key: string, item: T): boolean {
    const items = this.#waiting.get(key);
    if (items === undefined) this.#waiting.set(key, [item]);
    else if (items.length >= this.#maxPerKey) return false;
    else items.push(item);
    return true;
  }

  /** Takes the oldest item of the key that was served longest ago; undefined when the queue is empty. */
  shift(): T | undefined {
    for (const [key, items] of this.#waiting) {
      const item = items.shift();
      // Moves the key to the end of the map's order, or removes it.
      this.#waiting.delete(key);
      if (items.length > 0) this.#waiting.set(key, items);
      return item;
    }
    return undefined;
  }
}
