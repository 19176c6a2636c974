import type { Envelope } from './envelope.ts';

export interface CallQueueOptions {
  /** Makes the n-th attempt, from 1; resolves to how long to wait before the next one, or null when there is none. */
  readonly attempt: (envelope: Envelope, attempt: number) => Promise<number | null>;
  readonly pause: (delayMs: number) => Promise<void>;
  readonly onEmpty: () => void;
}

/** The notifications of one call: each is delivered, or given up, before the next is tried. */
export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #waiting: Envelope[] = [];
  #running: Promise<void> | null = null;
  #firstAttempts: FirstAttempts | null = null;

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  push(envelope: Envelope): void {
    this.#waiting.push(envelope);
    this.#running ??= this.#run();
  }

  /** Resolves when what can be tried now has been tried once: all, or all up to one that waits to be tried again. */
  async tried(): Promise<void> {
    await this.#firstAttempts?.made;
  }

  async empty(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#deliver(next);
    this.#endFirstAttempts();
    this.#running = null;
    this.#options.onEmpty();
  }

  async #deliver(envelope: Envelope): Promise<void> {
    this.#firstAttempts ??= beginFirstAttempts();
    for (let attempt = 1; ; attempt += 1) {
      const delayMs = await this.#options.attempt(envelope, attempt);
      if (delayMs === null) return;
      this.#endFirstAttempts();
      await this.#options.pause(delayMs);
    }
  }

  #endFirstAttempts(): void {
    this.#firstAttempts?.end();
    this.#firstAttempts = null;
  }
}

interface FirstAttempts {
  readonly made: Promise<void>;
  end(): void;
}

function beginFirstAttempts(): FirstAttempts {
  let end = (): void => {};
  const made = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { made, end };
}
