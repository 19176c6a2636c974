/** Passes results on in the order in which they were requested, whichever is known first. */
export class InOrder {
  #waiting = 0;
  /** Resolves once all results so far were passed on. */
  #passed: Promise<void> = Promise.resolve();

  /** True if an earlier result is still to come. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Calls `use` with the result after the results of all earlier calls were passed on. */
  add<T>(result: T | Promise<T>, use: (result: T) => void): void {
    this.#waiting += 1;
    this.#passed = Promise.all([result, this.#passed]).then(([found]) => {
      this.#waiting -= 1;
      use(found);
    });
  }
}
