import { createHash } from 'node:crypto';

/**
 * Names under which the server keeps the plans of statements, for each connection. A text gets a name on its second use
 * and only while names are left, because texts can depend on requests and the server's memory is bounded.
 */
export class PreparedNames {
  readonly #prefix: string;
  readonly #limit: number;
  readonly #names = new Map<string, string>();
  readonly #usedOnce = new Set<string>();
  #generation = 0;

  /** @param limit number of names; 0 turns prepared statements off */
  constructor(prefix: string, limit: number) {
    this.#prefix = prefix;
    this.#limit = limit;
  }

  /** Returns the name for this use of a text, or undefined when it is not to be prepared. */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= this.#limit) return undefined;
    if (!this.#usedOnce.delete(text)) {
      if (this.#usedOnce.size >= 2 * this.#limit) this.#usedOnce.clear();
      this.#usedOnce.add(text);
      return undefined;
    }
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 24);
    const name = `${this.#prefix}_${this.#generation}_${hash}`;
    this.#names.set(text, name);
    return name;
  }

  /** Forgets all names. Needed after a schema change, because the server refuses the plans that it made before. */
  reset(): void {
    this.#generation += 1;
    this.#names.clear();
  }
}
