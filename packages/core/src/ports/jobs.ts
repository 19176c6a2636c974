import type { Records } from './storage/records.ts';

/**
 * Lease of a job. A taken job comes up again unless it is settled within this time. A sender that executes a job itself
 * sends it with this delay (`afterMs`), so that it comes up again in the same case.
 */
export const jobLeaseMs = 30_000;

/** A job to be executed now or later by any process. */
export interface NewJob {
  /** Name of the queue; each kind of work has its own. */
  readonly queue: string;
  /** A UUID. */
  readonly id: string;
  /** JSON. The order of its keys may be lost. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Delay until the job comes up, by the clock of the queue. */
  readonly afterMs: number;
  /** Customer that the job is done for; `take` can limit how many jobs of one customer are active at once. */
  readonly group?: string;
}

/** A job that has come up. */
export interface Job {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** `group` of the sent job, if the queue keeps groups. */
  readonly group?: string;
}

/** Matches jobs by a text in their data. */
export interface JobMatch {
  /** Key in `data`. */
  readonly key: string;
  readonly text: string;
}

/**
 * Jobs that outlive the process. At-least-once: only settling removes a job.
 *
 * Several processes may share a queue. An implementation MUST give a job to one taker at a time.
 */
export interface JobQueue {
  /**
   * Stores jobs; existing ids are skipped. With `tx`, the records of a storage transaction, they are stored when it
   * commits.
   */
  send(jobs: readonly NewJob[], tx?: Records): Promise<void>;
  /**
   * Takes up to `limit` due jobs, the oldest ones, in any order, and leases them for `jobLeaseMs`.
   *
   * With `perGroup`, limits the active jobs of each group, over all processes. A queue that keeps no groups may ignore
   * it.
   */
  take(queue: string, limit: number, perGroup?: number): Promise<readonly Job[]>;
  /**
   * Settles jobs in one step: deletes those with the ids `done`, and replaces each job that has the id of one in
   * `again`. The jobs need not be taken.
   */
  settle(queue: string, settled: { done: readonly string[]; again: readonly NewJob[] }, tx?: Records): Promise<void>;
  /** Deletes the jobs, taken or not, whose `data` has this text at this key. May scan the queue. */
  forget(queue: string, match: JobMatch, tx?: Records): Promise<void>;
  /** Returns the ids of these jobs that are not done. */
  stored(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Number of jobs that are not done, whenever they come up. For metrics: it may be up to a minute old. */
  waiting?(queue: string): Promise<number>;
  /** Time at which the oldest unsettled job was stored or put back, in milliseconds since 1970; null if none. */
  oldestMs?(queue: string): Promise<number | null>;
}

/** Queues of the service, for adapters that have to create them. */
export const jobQueues = ['webhooks', 'after-call', 'mails'] as const;
