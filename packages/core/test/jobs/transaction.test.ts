import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import { transactionWithJobs } from '../../src/jobs/transaction.ts';
import type { JobQueue, NewJob } from '../../src/ports/jobs.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';

const job = (id: string): NewJob => ({ queue: 'mails', id, data: {}, afterMs: 0 });

/** Calls of the queue; true for those within a transaction. */
let called: [method: string, isWithin: boolean][];

function recordingQueue(): JobQueue {
  const queue = new InProcessJobs(new VirtualClock());
  return Object.assign(queue, {
    send: async (_jobs: unknown, tx?: unknown) => void called.push(['send', tx !== undefined]),
    forget: async (_queue: unknown, _match: unknown, tx?: unknown) => void called.push(['forget', tx !== undefined]),
    settle: async (_queue: unknown, _settled: unknown, tx?: unknown) => void called.push(['settle', tx !== undefined]),
  });
}

/** A storage whose transactions run their work this often, as after a conflict. */
function storageOf(jobs: JobQueue | undefined, attempts = 1): Storage {
  const storage = memory();
  return Object.assign(Object.create(storage) as Storage, {
    ...(jobs !== undefined && { jobs }),
    transaction: async <T>(work: (tx: Storage) => Promise<T>): Promise<T> => {
      for (let n = 1; n < attempts; n += 1) await work(storage);
      return await work(storage);
    },
  });
}

beforeEach(() => {
  called = [];
});

describe('transactionWithJobs', () => {
  it('sends and settles jobs in the transaction of a storage with that queue', async () => {
    const jobs = recordingQueue();
    const result = await transactionWithJobs({ storage: storageOf(jobs), jobs }, async (_tx, sender) => {
      await sender.send([job('1')]);
      await sender.forget('mails', { key: 'callId', text: 'call-1' });
      await sender.settle('mails', { done: ['2'], again: [] });
      return 'done';
    });
    expect(result).toBe('done');
    expect(called).toEqual([
      ['send', true],
      ['forget', true],
      ['settle', true],
    ]);
  });

  it('sends them after the commit, in order, with another queue', async () => {
    const jobs = recordingQueue();
    await transactionWithJobs({ storage: storageOf(undefined), jobs }, async (_tx, sender) => {
      await sender.settle('mails', { done: ['2'], again: [] });
      await sender.send([job('1')]);
      await sender.forget('mails', { key: 'callId', text: 'call-1' });
      expect(called).toEqual([]);
    });
    expect(called).toEqual([
      ['settle', false],
      ['send', false],
      ['forget', false],
    ]);
  });

  it('sends nothing if the transaction fails', async () => {
    const jobs = recordingQueue();
    const failing = transactionWithJobs({ storage: storageOf(undefined), jobs }, async (_tx, sender) => {
      await sender.send([job('1')]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(called).toEqual([]);
  });

  it('sends the jobs of the last attempt alone', async () => {
    const jobs = recordingQueue();
    await transactionWithJobs({ storage: storageOf(undefined, 3), jobs }, async (_tx, sender) => {
      await sender.send([job('1')]);
    });
    expect(called).toEqual([['send', false]]);
  });
});
