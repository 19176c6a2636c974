import { type NewJob, toError, type WebhookAttempt, type WebhookHost } from '@va/core';

export interface Result {
  /** Null where nothing was tried. */
  readonly attempt: WebhookAttempt | null;
  readonly done?: string;
  readonly again?: NewJob;
}

const maxBatch = 1_000;

/** How long the first of a batch waits for others: a transaction of many costs little more than one of few. */
const gatheringMs = 50;

/**
 * Stores results in as few transactions as their number allows: those that come within a moment go together, and those
 * that come while one is written go with the next.
 */
export class Results {
  readonly #host: WebhookHost;
  readonly #pending: Result[] = [];
  #running: Promise<void> | null = null;
  #hurry: () => void = () => {};

  constructor(host: WebhookHost) {
    this.#host = host;
  }

  add(result: Result): void {
    this.#pending.push(result);
    this.#running ??= this.#run();
  }

  /** Resolves when all is stored, which then waits for nothing more. */
  async stored(): Promise<void> {
    while (this.#running !== null) {
      this.#hurry();
      await this.#running;
    }
  }

  async #run(): Promise<void> {
    await this.#gather();
    while (this.#pending.length > 0) await this.#store(this.#pending.splice(0, maxBatch));
    this.#running = null;
  }

  async #gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#host.clock.setTimer(gatheringMs, resolve);
      this.#hurry = () => {
        timer.cancel();
        resolve();
      };
    });
    this.#hurry = () => {};
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
