import { type JobQueue, jobQueues } from '../ports/jobs.ts';
import type { WebhookDispatcher } from '../ports/webhooks.ts';

/** What this process has to do at this moment. */
export interface ServiceLoad {
  readonly activeCalls: number;
  readonly maxConcurrentCalls: number;
  /** Webhooks that this process is sending, or about to; null where the dispatcher does not tell. */
  readonly webhooksInHand: number | null;
  /** Jobs that are not done, of all processes, in hand or to come, by queue; null where the queue does not tell. */
  readonly jobs: Readonly<Record<string, number>> | null;
}

/** Rejects where the queue cannot be asked. */
export async function readLoad(
  { count, limit }: { readonly count: number; readonly limit: number },
  webhooks: WebhookDispatcher,
  jobs: JobQueue,
): Promise<ServiceLoad> {
  return {
    activeCalls: count,
    maxConcurrentCalls: limit,
    webhooksInHand: webhooks.inHand ?? null,
    jobs: await jobsOf(jobs),
  };
}

async function jobsOf(jobs: JobQueue): Promise<Record<string, number> | null> {
  if (jobs.waiting === undefined) return null;
  const waiting: Record<string, number> = {};
  for (const queue of jobQueues) waiting[queue] = await jobs.waiting(queue);
  return waiting;
}
