import type { RandomBytes } from '@va/core/adapter';

/** Entries by a token of 128 random bits, such as calls that wait for their media stream. `take` uses the token up. */
export class TokenMap<T> {
  readonly #random: RandomBytes;
  readonly #waiting = new Map<string, T>();

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  /** Adds an entry and returns its token. */
  add(call: T): string {
    const token = Buffer.from(this.#random(16)).toString('hex');
    this.#waiting.set(token, call);
    return token;
  }

  /** Returns and removes the entry of a token; null for an unknown token. */
  take(token: string | null): T | null {
    const call = token === null ? undefined : this.#waiting.get(token);
    if (token === null || call === undefined) return null;
    this.#waiting.delete(token);
    return call;
  }

  /** Returns the entry of a token without using the token up; null for an unknown token. */
  find(token: string): T | null {
    return this.#waiting.get(token) ?? null;
  }

  remove(token: string): void {
    this.#waiting.delete(token);
  }
}
