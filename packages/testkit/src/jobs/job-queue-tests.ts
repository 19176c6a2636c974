import type { JobQueueTest } from './job-queue-test.ts';
import { settlingTests } from './tests/settling.ts';
import { takingTests } from './tests/taking.ts';
import { transactionTests } from './tests/transactions.ts';

/** All tests of the kit by subject. Their names are unique and stable. */
export const jobQueueTests: Readonly<Record<string, readonly JobQueueTest[]>> = {
  taking: takingTests,
  settling: settlingTests,
  transactions: transactionTests,
};
