const maxIds = 1_024;

/** The last ids that were seen; the oldest is forgotten. */
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
