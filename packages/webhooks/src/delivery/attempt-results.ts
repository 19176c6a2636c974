import { type NewJob, toError, type WebhookAttempt, type WebhookHost } from '@va/core/adapter';

/** Result of an attempt: a row of the delivery log, and the job to complete (`done`) or to store again (`again`). */
interface AttemptResult {
  /** Null if nothing was attempted. */
  readonly attempt: WebhookAttempt | null;
  readonly done?: string;
  readonly again?: NewJob;
}

interface PendingResult extends AttemptResult {
  readonly settled: () => void;
}

const maxBatch = 1_000;

/** Time for which a batch is collected: a transaction with many results costs little more than one with few. */
const gatheringMs = 50;

/**
 * Stores the results of attempts in batches: those within a short interval together, and those that arrive during a
 * transaction in the next one.
 */
export class AttemptResults {
  readonly #host: WebhookHost;
  readonly #pending: PendingResult[] = [];
  #running: Promise<void> | null = null;
  #flush: () => void = () => {};

  constructor(host: WebhookHost) {
    this.#host = host;
  }

  add(result: AttemptResult): void {
    this.#add({ ...result, settled: () => {} });
  }

  /** Resolves when the result was stored, or could not be stored. Does not wait for the batch to fill. */
  async store(result: AttemptResult): Promise<void> {
    await new Promise<void>((settled) => {
      this.#add({ ...result, settled });
      this.#flush();
    });
  }

  /** Resolves when all results are stored, without waiting for a batch to fill. */
  async stored(): Promise<void> {
    while (this.#running !== null) {
      this.#flush();
      await this.#running;
    }
  }

  #add(result: PendingResult): void {
    this.#pending.push(result);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await this.#gather();
    while (this.#pending.length > 0) await this.#store(this.#pending.splice(0, maxBatch));
    this.#running = null;
  }

  async #gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#host.clock.setTimer(gatheringMs, resolve);
      this.#flush = () => {
        timer.cancel();
        resolve();
      };
    });
    this.#flush = () => {};
  }

  /** Drops results that cannot be stored: their jobs become due again when the leases end. */
  async #store(results: readonly PendingResult[]): Promise<void> {
    try {
      await this.#host.settle({
        attempts: results.flatMap(({ attempt }) => attempt ?? []),
        done: results.flatMap(({ done }) => done ?? []),
        again: results.flatMap(({ again }) => again ?? []),
      });
    } catch (thrown) {
      this.#host.logger.error({ err: toError(thrown) }, 'failed to store the results of webhooks');
    }
    for (const { settled } of results) settled();
  }
}
