/** Counts the requests and streaming responses in progress. */
export class InFlight {
  readonly #idle: (() => void)[] = [];
  #count = 0;

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Resolves when the count is zero. */
  idle(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}
