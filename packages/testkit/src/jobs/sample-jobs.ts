import assert from 'node:assert/strict';
import { type Job, type JobQueue, type NewJob, systemClock, uuidv7 } from '@va/core/adapter';

export const queueName = 'webhooks';
export const otherQueue = 'mails';

export function newJob(data: Record<string, unknown> = {}, afterMs = 0, queue: string = queueName): NewJob {
  return { queue, id: uuidv7(systemClock), data, afterMs };
}

export function ids(jobs: readonly { readonly id: string }[]): string[] {
  return jobs.map(({ id }) => id).sort();
}

/** Sends jobs, runs the test, and deletes the jobs whatever the result. */
export async function withJobs(queue: JobQueue, jobs: readonly NewJob[], test: () => Promise<void>): Promise<void> {
  await queue.send(jobs);
  try {
    await test();
  } finally {
    for (const name of [queueName, otherQueue]) {
      await queue.settle(name, { done: jobs.filter((each) => each.queue === name).map(({ id }) => id), again: [] });
    }
  }
}

/** Takes until there is one, or fails after `withinMs`. */
export async function takenWithin(queue: JobQueue, withinMs: number, message: string): Promise<readonly Job[]> {
  const startMs = systemClock.nowMs();
  for (;;) {
    const taken = await queue.take(queueName, 100);
    if (taken.length > 0) return taken;
    assert.ok(systemClock.nowMs() - startMs < withinMs, message);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
