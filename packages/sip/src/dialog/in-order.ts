/** Passes results on in the order in which they were requested, whichever is known first. */
export class InOrder {
  #waiting = 0;
  /** Resolves once all results so far were passed on. Never rejects. */
  #passed: Promise<void> = Promise.resolve();

  /** True if an earlier result is still to come. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Calls `use` with the result after the results of all earlier calls were passed on. A rejected result, or an error
   * of `use`, is an unhandled rejection and does not hold up later results.
   */
  add<T>(result: T | Promise<T>, use: (result: T) => void): void {
    this.#waiting += 1;
    const due = Promise.all([result, this.#passed]);
    const ended = (): void => {
      this.#waiting -= 1;
    };
    // Called before `#passed` resolves, because it is registered first.
    void due.then(([found]) => use(found));
    this.#passed = due.then(ended, ended);
  }
}
