/** Webhooks in flight, by job id. */
export class InFlightWebhooks<T> {
  readonly #items = new Map<string, T>();
  readonly #listeners = new Map<string, (() => void)[]>();

  get size(): number {
    return this.#items.size;
  }

  has(id: string): boolean {
    return this.#items.has(id);
  }

  add(id: string, item: T): void {
    this.#items.set(id, item);
  }

  /** Removes a webhook that was delivered, given up or deferred. */
  release(id: string): void {
    this.#items.delete(id);
    const listeners = this.#listeners.get(id) ?? [];
    this.#listeners.delete(id);
    for (const listener of listeners) listener();
  }

  /** Resolves when 80 % of the given webhooks are no longer in flight. The others may wait for slow servers. */
  async mostReleased(ids: readonly string[]): Promise<void> {
    const waited = ids.filter((id) => this.#items.has(id));
    let left = Math.ceil(waited.length * 0.8);
    if (left === 0) return;
    await new Promise<void>((resolve) => {
      const over = (): void => {
        left -= 1;
        if (left === 0) resolve();
      };
      for (const id of waited) this.#listeners.set(id, [...(this.#listeners.get(id) ?? []), over]);
    });
  }
}
