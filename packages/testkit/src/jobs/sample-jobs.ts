import assert from 'node:assert/strict';
import { type Job, type JobQueue, type NewJob, systemClock, uuidv7 } from '@va/core/adapter';

/** Queue of most tests. */
export const queueName = 'webhooks';
/** A second queue, whose jobs must not be fetched from the first one. */
export const otherQueue = 'mails';

/** Returns a job with a new id that is due `afterMs` from now, in milliseconds. */
export function newJob(data: Record<string, unknown> = {}, afterMs = 0, queue: string = queueName): NewJob {
  return { queue, id: uuidv7(systemClock), data, afterMs };
}

/** Returns the ids of jobs in ascending order. */
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

/**
 * Takes jobs repeatedly until there are some, and returns them.
 * @throws AssertionError with `message` if there are none after `withinMs`
 */
export async function takenWithin(queue: JobQueue, withinMs: number, message: string): Promise<readonly Job[]> {
  const startMs = systemClock.nowMs();
  for (;;) {
    const taken = await queue.take(queueName, 100);
    if (taken.length > 0) return taken;
    assert.ok(systemClock.nowMs() - startMs < withinMs, message);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
