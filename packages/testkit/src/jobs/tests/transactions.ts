import assert from 'node:assert/strict';
import type { JobQueue, Records, Storage } from '@va/core/adapter';
import { assertCode } from '../../storage/expect.ts';
import { insertSample, newId } from '../../storage/samples.ts';
import type { JobQueueTest, JobQueueTestContext } from '../job-queue-test.ts';
import { ids, newJob, queueName, withJobs } from '../sample-jobs.ts';

/** Tests of jobs in transactions. */
export const transactionTests: readonly JobQueueTest[] = [
  {
    name: 'stores jobs with the records of a transaction, or neither',
    needsStorage: true,
    async run(context) {
      const { queue, storage } = stored(context);
      const [rolledBack, committed] = [newJob(), newJob()];
      await undone(storage, (tx) => queue.send([rolledBack], tx));
      await withJobs(queue, [], async () => {
        const orgId = newId();
        await storage.transaction(async (tx) => {
          await queue.send([committed], tx);
          await insertSample(tx, orgId, 'agents');
        });
        assert.equal(await storage.agents.count(orgId), 1);
        assert.deepStrictEqual(ids(await queue.take(queueName, 9)), [committed.id]);
        await queue.settle(queueName, { done: [committed.id], again: [] });
      });
    },
  },
  {
    name: 'settles jobs with the records of a transaction, or neither',
    needsStorage: true,
    async run(context) {
      const { queue, storage } = stored(context);
      const [done, again] = [newJob({ n: 1 }), newJob({ n: 1 })];
      await withJobs(queue, [done, again], async () => {
        const settled = { done: [done.id], again: [{ ...again, data: { n: 2 } }] };
        await undone(storage, (tx) => queue.settle(queueName, settled, tx));
        const asBefore = await queue.take(queueName, 9);
        assert.deepStrictEqual(ids(asBefore), ids([done, again]));
        assert.deepStrictEqual(asBefore.find(({ id }) => id === again.id)?.data, { n: 1 });
        await storage.transaction((tx) => queue.settle(queueName, settled, tx));
        assert.deepStrictEqual(await queue.take(queueName, 9), [{ id: again.id, data: { n: 2 } }]);
      });
    },
  },
  {
    name: 'deletes jobs with the records of a transaction, or neither',
    needsStorage: true,
    async run(context) {
      const { queue, storage } = stored(context);
      const job = newJob({ callId: 'one' }, 600_000);
      const match = { key: 'callId', text: 'one' };
      await withJobs(queue, [job], async () => {
        await undone(storage, (tx) => queue.forget(queueName, match, tx));
        assert.deepStrictEqual(await queue.stored(queueName, [job.id]), new Set([job.id]));
        await storage.transaction((tx) => queue.forget(queueName, match, tx));
        assert.deepStrictEqual(await queue.stored(queueName, [job.id]), new Set());
      });
    },
  },
  {
    name: 'rejects a transaction that has ended, and the queue itself inside one',
    needsStorage: true,
    async run(context) {
      const { queue, storage } = stored(context);
      const tx = await storage.transaction(async (records) => records);
      const verbs: Record<string, (inside?: Records) => Promise<unknown>> = {
        send: (inside) => queue.send([newJob({}, 600_000)], inside),
        settle: (inside) => queue.settle(queueName, { done: [newId()], again: [] }, inside),
        forget: (inside) => queue.forget(queueName, { key: 'callId', text: newId() }, inside),
      };
      for (const [name, verb] of Object.entries(verbs)) {
        await assertCode(verb(tx), 'transaction_over', `${name} after its transaction`);
        const nested = storage.transaction(() => verb());
        await assertCode(nested, 'nested_transaction', `${name} without the records of the transaction around it`);
      }
    },
  },
];

function stored({ queue, storage }: JobQueueTestContext): { queue: JobQueue; storage: Storage } {
  if (storage === null) throw new Error('This test needs the storage of the queue.');
  return { queue, storage };
}

/** Runs work in a transaction that is rolled back. */
async function undone(storage: Storage, work: (tx: Records) => Promise<unknown>): Promise<void> {
  const reason = new Error('undone');
  const failing = storage.transaction(async (tx) => {
    await work(tx);
    throw reason;
  });
  await assert.rejects(failing, (thrown) => thrown === reason);
}
