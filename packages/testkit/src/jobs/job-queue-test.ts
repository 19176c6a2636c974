import type { JobQueue, Storage } from '@va/core';

/** What a test of the kit is given. */
export interface JobQueueTestContext {
  /** Nothing else works on it. Tests leave it empty of what they sent. */
  readonly queue: JobQueue;
  /** Whose queue it is, started: jobs are stored in its transactions. Asked for by tests that are about them. */
  readonly storage: Storage | null;
  /** Has the leases of all that is taken end, by waiting or otherwise. */
  readonly endLeases: () => Promise<void>;
  /** How long it may take the queue to see that a lease is over. */
  readonly leasePatienceMs: number;
  /** Whether `waiting` counts at once. False for a queue whose counts may be up to a minute old. */
  readonly countsAtOnce?: boolean;
}

export interface JobQueueTest {
  /** What the queue does, in a sentence. */
  readonly name: string;
  /** Says something of queues alone that belong to a storage. */
  readonly needsStorage?: boolean;
  /** Rejects where the queue does something else. */
  run(context: JobQueueTestContext): Promise<void>;
}
