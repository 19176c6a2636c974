/** Mutual exclusion in the order of `acquire` calls. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves with the function that releases the mutex. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  async run<T>(work: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
