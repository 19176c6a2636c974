import { type Clock, type Job, type JobQueue, type Logger, type Timer, toError, webhookQueue } from '@va/core';

const pollEveryMs = 1_000;
const maxBatch = 500;
/** Stored jobs of one customer that are in delivery at once, over all processes: a backlog leaves room for others. */
const maxPerCustomer = 100;

/** So many of a batch are handed on at once. */
const handful = 20;

export interface CollectorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: JobQueue;
  /** How many more may be taken in hand. */
  readonly room: () => number;
  /** Resolves when there may be more. */
  readonly receive: (jobs: readonly Job[]) => Promise<void>;
}

/** Takes stored jobs in hand when they come up: every second, and when one is known to be due. */
export class Collector {
  readonly #options: CollectorOptions;
  #timer: Timer | null = null;
  #dueMs = Number.POSITIVE_INFINITY;
  #collecting: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** Looks at once: what a process before this one left is due. */
  start(): void {
    this.#arm(0);
  }

  /** A job is known to come up then. */
  wakeIn(delayMs: number): void {
    const dueMs = this.#options.clock.nowMs() + delayMs;
    if (dueMs < this.#dueMs && this.#collecting === null) this.#arm(delayMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#collecting;
  }

  #arm(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer?.cancel();
    this.#dueMs = this.#options.clock.nowMs() + delayMs;
    this.#timer = this.#options.clock.setTimer(delayMs, () => {
      this.#collecting = this.#collect().finally(() => {
        this.#collecting = null;
        this.#arm(pollEveryMs);
      });
    });
  }

  async #collect(): Promise<void> {
    const { jobs, logger, room, receive } = this.#options;
    try {
      for (let limit = Math.min(room(), maxBatch); limit > 0 && !this.#isStopped; ) {
        const taken = await jobs.take(webhookQueue, limit, maxPerCustomer);
        for (let n = 0; n < taken.length; n += handful) await receive(taken.slice(n, n + handful));
        // A short batch may mean that one customer has reached its limit.
        limit = taken.length === 0 ? 0 : Math.min(room(), maxBatch);
      }
    } catch (thrown) {
      logger.warn({ err: toError(thrown) }, 'stored webhooks could not be looked up');
    }
  }
}
