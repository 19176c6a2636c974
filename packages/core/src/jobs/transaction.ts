import type { JobMatch, JobQueue, NewJob } from '../ports/jobs.ts';
import type { Records } from '../ports/storage/records.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** Sends and settles jobs in a transaction. */
export interface JobSender {
  send(jobs: readonly NewJob[]): Promise<void>;
  forget(queue: string, match: JobMatch): Promise<void>;
  settle(queue: string, settled: { done: readonly string[]; again: readonly NewJob[] }): Promise<void>;
}

/**
 * Runs the work in one transaction, including the jobs that it sends and settles through `sender`. If the storage has
 * no queue, the jobs follow the commit, because a queue in memory is lost with the process either way.
 */
export async function transactionWithJobs<T>(
  { storage, jobs }: { readonly storage: Storage; readonly jobs: JobQueue },
  work: (tx: Records, sender: JobSender) => Promise<T>,
): Promise<T> {
  if (storage.jobs === jobs) {
    return await storage.transaction((tx) =>
      work(tx, {
        send: (sent) => jobs.send(sent, tx),
        forget: (queue, match) => jobs.forget(queue, match, tx),
        settle: (queue, settled) => jobs.settle(queue, settled, tx),
      }),
    );
  }
  let following: (() => Promise<void>)[] = [];
  const result = await storage.transaction((tx) => {
    following = [];
    return work(tx, {
      send: async (sent) => void following.push(() => jobs.send(sent)),
      forget: async (queue, match) => void following.push(() => jobs.forget(queue, match)),
      settle: async (queue, settled) => void following.push(() => jobs.settle(queue, settled)),
    });
  });
  for (const follow of following) await follow();
  return result;
}
