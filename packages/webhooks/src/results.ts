import { type NewJob, toError, type WebhookAttempt, type WebhookHost } from '@va/core';

export interface Result {
  /** Null where nothing was tried. */
  readonly attempt: WebhookAttempt | null;
  readonly done?: string;
  readonly again?: NewJob;
}

const maxBatch = 500;

/** Stores results in as few transactions as their number allows: those that come while one is written go with the next. */
export class Results {
  readonly #host: WebhookHost;
  readonly #pending: Result[] = [];
  #running: Promise<void> | null = null;

  constructor(host: WebhookHost) {
    this.#host = host;
  }

  add(result: Result): void {
    this.#pending.push(result);
    this.#running ??= this.#run();
  }

  async stored(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) await this.#store(this.#pending.splice(0, maxBatch));
    this.#running = null;
  }

  /** What cannot be stored is as if it had not been tried: its job comes up again. */
  async #store(results: readonly Result[]): Promise<void> {
    try {
      await this.#host.settle({
        attempts: results.flatMap(({ attempt }) => attempt ?? []),
        done: results.flatMap(({ done }) => done ?? []),
        again: results.flatMap(({ again }) => again ?? []),
      });
    } catch (thrown) {
      this.#host.logger.error({ err: toError(thrown) }, 'what came of webhooks could not be stored');
    }
  }
}
