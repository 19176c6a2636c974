const maxIds = 1_024;

/** A bounded set of recently seen ids. The oldest one is evicted. */
export class RecentIds {
  readonly #ids = new Set<string>();

  /** Returns false if the id was added before. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > maxIds && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}
