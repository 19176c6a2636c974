const maxKnown = 1_000;

/** URLs in use: each is parsed once, where a customer gets many webhooks. */
export class ParsedUrls {
  readonly #known = new Map<string, URL | null>();

  /** Null where the text is no URL. Whoever is given it must not change it. */
  of(text: string): URL | null {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= maxKnown) this.#known.clear();
    const parsed = URL.canParse(text) ? new URL(text) : null;
    this.#known.set(text, parsed);
    return parsed;
  }
}
