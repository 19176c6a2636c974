import { type Clock, type Job, type JobQueue, type Logger, type Timer, toError, webhookQueue } from '@va/core/adapter';

const pollEveryMs = 1_000;
const maxBatch = 500;
/**
 * Maximum number of stored webhooks of one customer in delivery at once, over all processes, so that a backlog leaves
 * room for others.
 */
const maxPerCustomer = 100;

/** Number of jobs of a batch that are passed on together. */
const groupSize = 20;

/** Dependencies and callbacks of the {@link DueJobPoller}. */
interface DueJobPollerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: JobQueue;
  /** Returns how many more webhooks can be taken. */
  readonly room: () => number;
  /** Processes jobs. Resolves when the next ones may be passed. */
  readonly receive: (jobs: readonly Job[]) => Promise<void>;
}

/** Takes due jobs from the queue: every second, and when one is known to be due. */
export class DueJobPoller {
  readonly #options: DueJobPollerOptions;
  #timer: Timer | null = null;
  #dueMs = Number.POSITIVE_INFINITY;
  #polling: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: DueJobPollerOptions) {
    this.#options = options;
  }

  /** Starts with a poll, because an earlier process may have left jobs. */
  start(): void {
    this.#arm(0);
  }

  /**
   * Schedules a poll after `delayMs`, when a job will be due. Has no effect while polling, or if a poll is due earlier.
   */
  wakeIn(delayMs: number): void {
    const dueMs = this.#options.clock.nowMs() + delayMs;
    if (dueMs < this.#dueMs && this.#polling === null) this.#arm(delayMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#polling;
  }

  #arm(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer?.cancel();
    this.#dueMs = this.#options.clock.nowMs() + delayMs;
    this.#timer = this.#options.clock.setTimer(delayMs, () => {
      this.#polling = this.#poll().finally(() => {
        this.#polling = null;
        this.#arm(pollEveryMs);
      });
    });
  }

  async #poll(): Promise<void> {
    const { jobs, logger, room, receive } = this.#options;
    try {
      for (let limit = Math.min(room(), maxBatch); limit > 0 && !this.#isStopped; ) {
        const taken = await jobs.take(webhookQueue, limit, maxPerCustomer);
        for (let n = 0; n < taken.length; n += groupSize) await receive(taken.slice(n, n + groupSize));
        // A short batch may mean that one customer has reached its limit.
        limit = taken.length === 0 ? 0 : Math.min(room(), maxBatch);
      }
    } catch (thrown) {
      logger.warn({ err: toError(thrown) }, 'failed to fetch stored webhooks');
    }
  }
}
