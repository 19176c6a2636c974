import type { WatchOptions } from '@va/client';

type Step<T> = { readonly item: T } | { readonly error: unknown } | 'end';

/** An event stream of the API whose events the test sends. A new connection replaces the one before. */
export class ScriptedStream<T> {
  /** The options of each connection. */
  readonly connections: WatchOptions[] = [];
  #steps: Step<T>[] = [];
  #wake: () => void = () => {};

  /** Opens the stream, in place of the method of the client. */
  readonly open = (options: WatchOptions = {}): AsyncGenerator<T, void, void> => {
    this.connections.push(options);
    this.#steps = [];
    return this.#read(this.#steps, options.signal ?? new AbortController().signal);
  };

  /** The options of the last connection. */
  get current(): WatchOptions {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error('The stream was not opened.');
    return last;
  }

  /** Reports that the stream is connected, or that it will reconnect. */
  connect(isConnected = true): void {
    this.current.onConnection?.(isConnected);
  }

  send(...items: readonly T[]): void {
    this.#add(...items.map((item) => ({ item })));
  }

  fail(error: unknown): void {
    this.#add({ error });
  }

  end(): void {
    this.#add('end');
  }

  #add(...steps: readonly Step<T>[]): void {
    this.#steps.push(...steps);
    this.#wake();
  }

  async *#read(steps: Step<T>[], signal: AbortSignal): AsyncGenerator<T, void, void> {
    for (;;) {
      signal.throwIfAborted();
      const step = steps.shift();
      if (step === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        continue;
      }
      if (step === 'end') return;
      if ('error' in step) throw step.error;
      yield step.item;
    }
  }
}
