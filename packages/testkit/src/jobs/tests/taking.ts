import assert from 'node:assert/strict';
import { jobLeaseMs } from '@va/core/adapter';
import type { JobQueueTest } from '../job-queue-test.ts';
import { ids, newJob, otherQueue, queueName, takenWithin, withJobs } from '../sample-jobs.ts';

/** Tests of taking jobs. */
export const takingTests: readonly JobQueueTest[] = [
  {
    name: 'gives each due job with its data to one of many takers',
    async run({ queue }) {
      const sent = Array.from({ length: 100 }, (_, n) =>
        newJob({ n, text: 'é\u2028"\\u0000', list: [null, true, { a: 1.5 }] }),
      );
      await withJobs(queue, sent, async () => {
        const taken = (await Promise.all(Array.from({ length: 8 }, () => queue.take(queueName, 30)))).flat();
        assert.deepStrictEqual(ids(taken), ids(sent), 'each job once');
        for (const job of sent) {
          assert.deepStrictEqual(taken.find(({ id }) => id === job.id)?.data, job.data, 'what it was sent with');
        }
      });
    },
  },
  {
    name: 'returns at most the requested number, in the order in which they became due',
    async run({ queue }) {
      const [first, second, third] = [newJob(), newJob(), newJob()];
      await withJobs(queue, [third, second, first], async () => {
        // Replaces the jobs one by one, so that they become due at different times.
        for (const job of [first, second, third]) {
          await queue.settle(queueName, { done: [], again: [job] });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        assert.deepStrictEqual(ids(await queue.take(queueName, 2)), ids([first, second]));
        assert.deepStrictEqual(ids(await queue.take(queueName, 2)), [third.id]);
      });
    },
  },
  {
    name: 'returns jobs of the requested queue only',
    async run({ queue }) {
      const [webhook, mail] = [newJob(), newJob({}, 0, otherQueue)];
      await withJobs(queue, [webhook, mail], async () => {
        assert.deepStrictEqual(ids(await queue.take(otherQueue, 9)), [mail.id]);
        assert.deepStrictEqual(ids(await queue.take(queueName, 9)), [webhook.id]);
      });
    },
  },
  {
    name: 'keeps a scheduled job until its time',
    async run({ queue }) {
      const [later, muchLater] = [newJob({}, 400), newJob({}, 600_000)];
      await withJobs(queue, [later, muchLater], async () => {
        assert.deepStrictEqual(await queue.take(queueName, 9), [], 'too early');
        assert.deepStrictEqual(ids(await takenWithin(queue, 10_000, 'it never came up')), [later.id]);
      });
    },
  },
  {
    name: 'leaves a job to its taker for the lease, and then gives it to another one',
    async run({ queue, endLeases, leasePatienceMs }) {
      const job = newJob({ n: 1 });
      await withJobs(queue, [job], async () => {
        assert.deepStrictEqual(ids(await queue.take(queueName, 9)), [job.id]);
        assert.deepStrictEqual(await queue.take(queueName, 9), [], 'it is taken');
        await endLeases();
        const again = await takenWithin(queue, leasePatienceMs, 'it is lost with its taker');
        assert.deepStrictEqual(again, [{ id: job.id, data: job.data }]);
      });
    },
  },
  {
    name: 'renews a lease with a job that replaces itself',
    async run({ queue }) {
      const job = newJob();
      await withJobs(queue, [job], async () => {
        await queue.take(queueName, 9);
        await queue.settle(queueName, { done: [], again: [{ ...job, afterMs: jobLeaseMs }] });
        assert.deepStrictEqual(await queue.take(queueName, 9), []);
        assert.deepStrictEqual(await queue.stored(queueName, [job.id]), new Set([job.id]));
      });
    },
  },
];
