import { setMaxListeners } from 'node:events';
import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { type Job, type JobQueue, jobLeaseMs, type NewJob } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';

const pollEveryMs = 5_000;
/** So that it is renewed a second time before it ends. */
const renewEveryMs = jobLeaseMs / 3;
const retryAfterMs = 10_000;

/** A job that is being worked on. */
export interface JobInHand extends Job {
  /** The process stops: the work is to end soon. */
  readonly signal: AbortSignal;
  /** Stops its renewal. To be awaited before the job is settled. */
  release(): Promise<void>;
}

export interface JobWorkerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: JobQueue;
  readonly queue: string;
  /** How many jobs are in hand at once. */
  readonly limit: number;
  /** Does a job and settles it. Where it throws, the job comes up again later. */
  readonly work: (job: JobInHand) => Promise<void>;
}

/**
 * Works on the jobs of one queue: on those of this process at once, and on stored ones when they come up. A job in hand is this
 * worker's for as long as it takes; where the process dies, it comes up again when its lease ends.
 */
export class JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #inHand = new Map<string, Promise<void>>();
  readonly #aborter = new AbortController();
  #timer: Timer | null = null;
  #polling: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: JobWorkerOptions) {
    this.#options = options;
    // Each job in hand listens for the end: their number is no leak.
    setMaxListeners(0, this.#aborter.signal);
  }

  /** Looks at once: what a process before this one left may be due. */
  start(): void {
    this.#arm(0);
  }

  /**
   * Works on a job that has been stored with a lease (`afterMs` of `jobLeaseMs`). Where there is no room for it now, it comes up
   * when that ends.
   */
  begin(job: Job): void {
    if (this.#isStopped || this.#inHand.size >= this.#options.limit || this.#inHand.has(job.id)) return;
    const working = this.#work(job).finally(() => this.#inHand.delete(job.id));
    this.#inHand.set(job.id, working);
  }

  /** Resolves when nothing is in hand. */
  async settled(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.all(this.#inHand.values());
  }

  /** Takes no more jobs, and gives those in hand `drainMs` until they are told to end. */
  async stop(drainMs: number): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#polling;
    const timer = this.#options.clock.setTimer(drainMs, () => this.#aborter.abort());
    await this.settled();
    timer.cancel();
  }

  async #work(job: Job): Promise<void> {
    const { clock, logger, queue, work } = this.#options;
    const again = (afterMs: number): Promise<void> => this.#again({ queue, ...job, afterMs });
    let renewing: Promise<void> = Promise.resolve();
    let timer: Timer | null = null;
    const arm = (): void => {
      timer = clock.setTimer(renewEveryMs, () => {
        renewing = again(jobLeaseMs).catch((thrown: unknown) =>
          logger.warn({ err: toError(thrown), queue }, 'a job in hand could not be renewed'),
        );
        void renewing.then(() => {
          if (timer !== null) arm();
        });
      });
    };
    const release = async (): Promise<void> => {
      timer?.cancel();
      timer = null;
      await renewing;
    };
    arm();
    try {
      await work({ ...job, signal: this.#aborter.signal, release });
    } catch (thrown) {
      logger.error({ err: toError(thrown), queue, jobId: job.id }, 'a job failed, and is tried again later');
      await release();
      await again(retryAfterMs).catch((failed: unknown) =>
        logger.warn({ err: toError(failed), queue }, 'a job could not be put back'),
      );
    } finally {
      await release();
    }
  }

  async #again(job: NewJob): Promise<void> {
    const { jobs, queue } = this.#options;
    await jobs.settle(queue, { done: [], again: [job] });
  }

  #arm(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = this.#options.clock.setTimer(delayMs, () => {
      this.#polling = this.#poll().finally(() => {
        this.#polling = null;
        this.#arm(pollEveryMs);
      });
    });
  }

  async #poll(): Promise<void> {
    const { jobs, queue, limit, logger } = this.#options;
    const room = limit - this.#inHand.size;
    if (room <= 0) return;
    try {
      for (const job of await jobs.take(queue, room)) this.begin(job);
    } catch (thrown) {
      logger.warn({ err: toError(thrown), queue }, 'stored jobs could not be looked up');
    }
  }
}
