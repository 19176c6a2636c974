import type { Records } from './storage/records.ts';

/** How long work may take. A job that was taken, or sent to be tried at once, and is not settled by then comes up again. */
export const jobLeaseMs = 30_000;

/** Work to be done, at once or later, by whichever process is there then. */
export interface NewJob {
  /** Which kind of work. */
  readonly queue: string;
  /** A UUID. */
  readonly id: string;
  /** JSON. The order of its keys may be lost. */
  readonly data: Readonly<Record<string, unknown>>;
  /** How long from now until it comes up, by the clock of the queue. */
  readonly afterMs: number;
  /** Customer that the job is done for; `take` can limit how many jobs of one customer are active at once. */
  readonly group?: string;
}

/** A job that has come up. */
export interface Job {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Customer that it was sent for, if the queue keeps groups. */
  readonly group?: string;
}

export interface JobMatch {
  /** Of `data`. */
  readonly key: string;
  readonly text: string;
}

/**
 * Work that outlives the process. Every job is done at least once: it goes away when it is settled, and only then.
 *
 * Several processes may share a queue. An implementation MUST give a job to one taker at a time.
 */
export interface JobQueue {
  /**
   * Stores jobs; one whose id is known already is left out. Within a transaction of the storage (`tx` is what its work was
   * given) they are stored with what else it stores, or not at all.
   */
  send(jobs: readonly NewJob[], tx?: Records): Promise<void>;
  /**
   * Takes up to `limit` jobs that have come up, the oldest of them, in any order. They are the taker's for `jobLeaseMs`.
   *
   * With `perGroup`, no more jobs of one group are taken than leave it that many active ones, over all processes. A
   * queue that keeps no groups may ignore it.
   */
  take(queue: string, limit: number, perGroup?: number): Promise<readonly Job[]>;
  /** In one step: `done` go away, and `again` take the place of those with the same ids. Works on jobs taken or not. */
  settle(queue: string, settled: { done: readonly string[]; again: readonly NewJob[] }, tx?: Records): Promise<void>;
  /** Those whose `data` has this text at this key go away, taken or not. May look at each job of the queue. */
  forget(queue: string, match: JobMatch, tx?: Records): Promise<void>;
  /** Which of these are still to be done. */
  stored(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Number of jobs that are not done, whenever they come up. For metrics: it may be up to a minute old. */
  waiting?(queue: string): Promise<number>;
}

/** The queues of the service: an adapter may have to make a room for each. */
export const jobQueues = ['webhooks', 'after-call', 'mails'] as const;
