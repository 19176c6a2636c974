import type { JobQueue, Storage } from '@va/core/adapter';

/** Context of a test. */
export interface JobQueueTestContext {
  /** The queue. Nothing else uses it; tests remove the jobs that they sent. */
  readonly queue: JobQueue;
  /** The started storage of the queue, if it has one. Used by tests of transactions. */
  readonly storage: Storage | null;
  /** Ends the leases of all taken jobs, by waiting or otherwise. */
  readonly endLeases: () => Promise<void>;
  /** Maximum time until the queue notices that a lease has ended. */
  readonly leasePatienceMs: number;
  /** False if the counts of `waiting` may be up to a minute old. Default true. */
  readonly countsAtOnce?: boolean;
}

/** Test of a job queue, independent of the test runner. */
export interface JobQueueTest {
  /** Requirement on the queue, as a sentence. */
  readonly name: string;
  /** True for tests that need the queue's storage. */
  readonly needsStorage?: boolean;
  /** Rejects if the queue behaves otherwise. */
  run(context: JobQueueTestContext): Promise<void>;
}
