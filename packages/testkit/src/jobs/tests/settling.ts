import assert from 'node:assert/strict';
import type { JobQueueTest } from '../job-queue-test.ts';
import { ids, newJob, otherQueue, queueName, withJobs } from '../sample-jobs.ts';

/** Tests of settling and deleting jobs. */
export const settlingTests: readonly JobQueueTest[] = [
  {
    name: 'deletes what is done, and returns replaced jobs with their new data',
    async run({ queue }) {
      const [first, second] = [newJob({ attempt: 0 }), newJob({ attempt: 0 })];
      await withJobs(queue, [first, second], async () => {
        await queue.take(queueName, 9);
        await queue.settle(queueName, { done: [first.id], again: [{ ...second, data: { attempt: 1 } }] });
        assert.deepStrictEqual(await queue.take(queueName, 9), [{ id: second.id, data: { attempt: 1 } }]);
      });
    },
  },
  {
    name: 'settles a job that was never taken',
    async run({ queue }) {
      const job = newJob();
      await withJobs(queue, [job], async () => {
        await queue.settle(queueName, { done: [job.id], again: [] });
        assert.deepStrictEqual(await queue.take(queueName, 9), []);
      });
    },
  },
  {
    name: 'skips a known job, taken or not, and a duplicate in a list',
    async run({ queue }) {
      const job = newJob({ n: 1 });
      await withJobs(queue, [job, job], async () => {
        await queue.send([{ ...job, data: { n: 2 } }]);
        assert.deepStrictEqual(await queue.take(queueName, 9), [{ id: job.id, data: { n: 1 } }]);
        await queue.send([{ ...job, data: { n: 3 } }]);
        assert.deepStrictEqual(await queue.take(queueName, 9), []);
      });
    },
  },
  {
    name: 'tells which jobs are unfinished, taken or scheduled',
    async run({ queue }) {
      const [taken, waiting, done, other] = [newJob(), newJob({}, 600_000), newJob(), newJob({}, 600_000, otherQueue)];
      await withJobs(queue, [taken, waiting, done, other], async () => {
        await queue.take(queueName, 9);
        await queue.settle(queueName, { done: [done.id], again: [] });
        const asked = [taken, waiting, done, newJob()].map(({ id }) => id);
        assert.deepStrictEqual(await queue.stored(queueName, asked), new Set([taken.id, waiting.id]));
        assert.deepStrictEqual(await queue.stored(otherQueue, [other.id]), new Set([other.id]));
        assert.deepStrictEqual(await queue.stored(queueName, []), new Set());
      });
    },
  },
  {
    name: 'counts unfinished jobs by queue, if it supports counts',
    async run({ queue, countsAtOnce = true }) {
      if (queue.waiting === undefined || !countsAtOnce) return;
      const [before, mails] = [await queue.waiting(queueName), await queue.waiting(otherQueue)];
      const sent = [newJob(), newJob(), newJob({}, 600_000)];
      await withJobs(queue, sent, async () => {
        const [taken] = await queue.take(queueName, 1);
        assert.equal(await queue.waiting?.(queueName), before + 3);
        await queue.settle(queueName, { done: [taken?.id ?? ''].filter(Boolean), again: [] });
        assert.equal(await queue.waiting?.(queueName), before + 2);
        assert.equal(await queue.waiting?.(otherQueue), mails);
      });
    },
  },
  {
    name: 'deletes the jobs with a text at a key, taken or not, and no others',
    async run({ queue }) {
      const [taken, waiting] = [newJob({ callId: 'one' }), newJob({ callId: 'one' }, 600_000)];
      const others = [
        newJob({ callId: 'two' }, 600_000),
        newJob({ agentId: 'one' }, 600_000),
        newJob({}, 600_000),
        newJob({ callId: 'one' }, 600_000, otherQueue),
      ];
      await withJobs(queue, [taken, waiting, ...others], async () => {
        await queue.take(queueName, 9);
        await queue.forget(queueName, { key: 'callId', text: 'one' });
        const asked = [taken, waiting, ...others].map(({ id }) => id);
        const left = [...(await queue.stored(queueName, asked)), ...(await queue.stored(otherQueue, asked))];
        // A queue may answer for all its jobs, whichever queue was named.
        assert.deepStrictEqual([...new Set(left)].sort(), ids(others));
      });
    },
  },
];
