import { setMaxListeners } from 'node:events';
import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { type Job, type JobQueue, jobLeaseMs, type NewJob } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';

const pollEveryMs = 5_000;
/** Interval between renewals of a lease: it survives one failed renewal. */
const renewEveryMs = jobLeaseMs / 3;
const retryAfterMs = 10_000;

/** A job in progress. */
export interface ActiveJob extends Job {
  /** Aborted when the process stops: the work has to end soon. */
  readonly signal: AbortSignal;
  /** Number of attempts, including this one. A high number means that the job crashes the process or never settles. */
  readonly attempts: number;
  /** Stops renewing the lease. Await it before settling the job. */
  release(): Promise<void>;
}

export interface JobWorkerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: JobQueue;
  readonly queue: string;
  /** Maximum number of jobs in progress. */
  readonly limit: number;
  /** Executes a job and settles it. If it throws, the job is retried later. */
  readonly work: (job: ActiveJob) => Promise<void>;
  /** Called for each attempt that failed. */
  readonly onJobFailed?: ((queue: string) => void) | undefined;
}

/**
 * Processes the jobs of one queue: jobs sent by this process at once, stored ones when they come up. It renews the
 * lease of a job in progress; if the process dies, the job comes up again when the lease ends.
 */
export class JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #aborter = new AbortController();
  #timer: Timer | null = null;
  #polling: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: JobWorkerOptions) {
    this.#options = options;
    // Every job in progress adds a listener: many are no leak.
    setMaxListeners(0, this.#aborter.signal);
  }

  /** Looks for stored jobs at once, because an earlier process may have left some. */
  start(): void {
    this.#arm(0);
  }

  /**
   * Starts a job that has been stored with a lease (`afterMs` of `jobLeaseMs`). Without a free slot, the job comes up
   * when the lease ends.
   */
  begin(job: Job): void {
    if (this.#hasRoomFor(job)) this.#hold(job, this.#work(job, attemptsOf(job)));
  }

  /** Resolves when no job is in progress. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight.values());
  }

  /** Stops taking jobs. Jobs in progress are aborted after `drainMs`. */
  async stop(drainMs: number): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#polling;
    const timer = this.#options.clock.setTimer(drainMs, () => this.#aborter.abort());
    await this.settled();
    timer.cancel();
  }

  /** Attempts a stored job. First stores the number of the attempt, so that a job cannot crash processes forever. */
  async #resume(job: Job): Promise<void> {
    const attempts = attemptsOf(job) + 1;
    const counted = { ...job, data: { ...job.data, begun: attempts } };
    try {
      await this.#again({ queue: this.#options.queue, ...counted, afterMs: jobLeaseMs });
    } catch (thrown) {
      // The job comes up again when its lease ends.
      this.#options.logger.warn({ err: toError(thrown), jobId: job.id }, 'failed to store the attempt of a job');
      return;
    }
    await this.#work(counted, attempts);
  }

  #hasRoomFor({ id }: Job): boolean {
    return !this.#isStopped && this.#inFlight.size < this.#options.limit && !this.#inFlight.has(id);
  }

  #hold({ id }: Job, working: Promise<void>): void {
    this.#inFlight.set(
      id,
      working.finally(() => this.#inFlight.delete(id)),
    );
  }

  async #work(job: Job, attempts: number): Promise<void> {
    const { clock, logger, queue, work } = this.#options;
    const again = (afterMs: number): Promise<void> => this.#again({ queue, ...job, afterMs });
    let renewing: Promise<void> = Promise.resolve();
    let timer: Timer | null = null;
    const arm = (): void => {
      timer = clock.setTimer(renewEveryMs, () => {
        renewing = again(jobLeaseMs).catch((thrown: unknown) =>
          logger.warn({ err: toError(thrown), queue }, 'failed to renew the lease of a job'),
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
      await work({ ...job, attempts, signal: this.#aborter.signal, release });
    } catch (thrown) {
      logger.error({ err: toError(thrown), queue, jobId: job.id }, 'job failed');
      this.#options.onJobFailed?.(queue);
      await release();
      await again(retryAfterMs).catch((failed: unknown) =>
        logger.warn({ err: toError(failed), queue }, 'failed to return a job to the queue'),
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
    const room = limit - this.#inFlight.size;
    if (room <= 0) return;
    try {
      for (const job of await jobs.take(queue, room)) if (this.#hasRoomFor(job)) this.#hold(job, this.#resume(job));
    } catch (thrown) {
      logger.warn({ err: toError(thrown), queue }, 'failed to fetch stored jobs');
    }
  }
}

/** Returns the number of attempts begun; 1 if none is stored, because `begin` does not store the first attempt. */
function attemptsOf({ data }: Job): number {
  return typeof data.begun === 'number' ? data.begun : 1;
}
