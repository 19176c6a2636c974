/** Work that several callers wait for. It is aborted when none of them is left. */
export class SharedWork<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;
  #isSettled = false;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#controller.signal).finally(() => {
      this.#isSettled = true;
    });
    this.#result.catch(() => {});
  }

  /** True once it was aborted, so that no further caller can join. */
  get isAborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Waits for the result. Rejects with the reason of the signal when the caller leaves. */
  async join(signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    this.#waiting += 1;
    let onLeave: () => void = () => {};
    const left = new Promise<never>((_resolve, reject) => {
      onLeave = () => reject(signal?.reason);
      signal?.addEventListener('abort', onLeave, { once: true });
    });
    try {
      return await Promise.race([this.#result, left]);
    } finally {
      signal?.removeEventListener('abort', onLeave);
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isSettled) this.#controller.abort();
    }
  }
}
