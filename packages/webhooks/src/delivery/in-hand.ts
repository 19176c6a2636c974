/** What is being delivered, by the id of its job. */
export class InHand<T> {
  readonly #items = new Map<string, T>();
  readonly #listeners = new Map<string, () => void>();

  get size(): number {
    return this.#items.size;
  }

  has(id: string): boolean {
    return this.#items.has(id);
  }

  add(id: string, item: T): void {
    this.#items.set(id, item);
  }

  /** Delivered, given up, or put off. */
  letGo(id: string): void {
    this.#items.delete(id);
    this.#listeners.get(id)?.();
    this.#listeners.delete(id);
  }

  /**
   * Resolves when four fifths of those of these that are in hand are not any more: few may wait for servers that are
   * slow.
   */
  async mostOver(ids: readonly string[]): Promise<void> {
    const waited = ids.filter((id) => this.#items.has(id));
    let left = Math.ceil(waited.length * 0.8);
    if (left === 0) return;
    await new Promise<void>((resolve) => {
      const over = (): void => {
        left -= 1;
        if (left === 0) resolve();
      };
      for (const id of waited) this.#listeners.set(id, over);
    });
  }
}
