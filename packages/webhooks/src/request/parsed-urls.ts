const maxKnown = 1_000;

/** Caches parsed URLs. */
export class ParsedUrls {
  readonly #known = new Map<string, URL | null>();

  /** Returns the parsed URL, or null for an invalid one. The result is shared and MUST NOT be changed. */
  of(text: string): URL | null {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= maxKnown) this.#known.clear();
    const parsed = URL.canParse(text) ? new URL(text) : null;
    this.#known.set(text, parsed);
    return parsed;
  }
}
