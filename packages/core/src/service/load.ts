import { type JobQueue, jobQueues } from '../ports/jobs.ts';
import type { WebhookDispatcher } from '../ports/webhooks.ts';

/** The current load of a process. */
export interface ServiceLoad {
  readonly activeCalls: number;
  readonly maxConcurrentCalls: number;
  /** Webhooks in flight or due in this process; null if the dispatcher does not report them. */
  readonly webhooksInFlight: number | null;
  /** Number of unsettled jobs of all processes, by queue; null if the queue does not report them. */
  readonly jobs: Readonly<Record<string, number>> | null;
}

/** Reads the load. Rejects if the job queue is unreachable. */
export async function readLoad(
  { count, limit }: { readonly count: number; readonly limit: number },
  webhooks: WebhookDispatcher,
  jobs: JobQueue,
): Promise<ServiceLoad> {
  return {
    activeCalls: count,
    maxConcurrentCalls: limit,
    webhooksInFlight: webhooks.inFlight ?? null,
    jobs: await jobsOf(jobs),
  };
}

async function jobsOf(jobs: JobQueue): Promise<Record<string, number> | null> {
  if (jobs.waiting === undefined) return null;
  const waiting: Record<string, number> = {};
  for (const queue of jobQueues) waiting[queue] = await jobs.waiting(queue);
  return waiting;
}
