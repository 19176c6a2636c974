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
  /** Times the job was begun, this one included. More than a few mean that it ends the process, or cannot be stored. */
  readonly attempts: number;
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
    if (this.#hasRoomFor(job)) this.#hold(job, this.#work(job, attemptsOf(job)));
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

  /** Counts the attempt in the stored job first, so that a job that ends the process is not begun again for ever. */
  async #resume(job: Job): Promise<void> {
    const attempts = attemptsOf(job) + 1;
    const counted = { ...job, data: { ...job.data, begun: attempts } };
    try {
      await this.#again({ queue: this.#options.queue, ...counted, afterMs: jobLeaseMs });
    } catch (thrown) {
      // It comes up again when its lease ends.
      this.#options.logger.warn({ err: toError(thrown), jobId: job.id }, 'failed to count an attempt of a job');
      return;
    }
    await this.#work(counted, attempts);
  }

  #hasRoomFor({ id }: Job): boolean {
    return !this.#isStopped && this.#inHand.size < this.#options.limit && !this.#inHand.has(id);
  }

  #hold({ id }: Job, working: Promise<void>): void {
    this.#inHand.set(
      id,
      working.finally(() => this.#inHand.delete(id)),
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
      await work({ ...job, attempts, signal: this.#aborter.signal, release });
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
      for (const job of await jobs.take(queue, room)) if (this.#hasRoomFor(job)) this.#hold(job, this.#resume(job));
    } catch (thrown) {
      logger.warn({ err: toError(thrown), queue }, 'stored jobs could not be looked up');
    }
  }
}

/** A job that was stored with its lease is begun at once, so that its first attempt needs no count. */
function attemptsOf({ data }: Job): number {
  return typeof data.begun === 'number' ? data.begun : 1;
}
