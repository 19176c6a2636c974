import type { Storage } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { describe, expect, it } from 'vitest';
import { jobQueueTests } from '../../src/jobs/job-queue-tests.ts';
import { altered, type Defect, defects, soundQueue } from './support/defects.ts';

const tests = Object.values(jobQueueTests).flat();

/** Returns the names of the tests that the queue fails. */
async function failuresOf(alter: Defect['alter'], storage: Storage | null = null): Promise<string[]> {
  const failed: string[] = [];
  // Each test gets its own queue, so that effects of a found defect do not reach the next test.
  await Promise.all(
    tests.map(async (test) => {
      if (test.needsStorage === true && storage === null) return;
      const { queue, endLeases } = soundQueue();
      const context = { queue: altered(queue, alter), storage, endLeases, leasePatienceMs: 500 };
      await test.run(context).catch(() => failed.push(test.name));
    }),
  );
  return failed.sort();
}

describe('job queue conformance', () => {
  it('passes a correct queue', async () => {
    expect(await failuresOf(() => ({}))).toEqual([]);
  });

  it('has a unique name for each test', () => {
    const names = tests.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('finds a queue that ignores the transactions of its storage', async () => {
    const aboutTransactions = tests.filter(({ needsStorage = false }) => needsStorage).map(({ name }) => name);
    expect(await failuresOf(() => ({}), memory())).toEqual(aboutTransactions.sort());
  });

  it.each(defects)('finds a queue that $name', async ({ alter, foundBy }) => {
    expect(await failuresOf(alter)).toEqual([...foundBy].sort());
  });
});
