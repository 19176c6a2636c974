import { webhookBearerToken } from '../signature.ts';

const maxKnown = 1_000;

/** Caches the bearer tokens of secrets in use. */
export class BearerTokens {
  readonly #known = new Map<string, string>();

  of(secret: string): string {
    const known = this.#known.get(secret);
    if (known !== undefined) return known;
    if (this.#known.size >= maxKnown) this.#known.clear();
    const token = webhookBearerToken(secret);
    this.#known.set(secret, token);
    return token;
  }
}
