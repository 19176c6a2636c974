import { modelTest } from './model/model-test.ts';
import type { StorageTest } from './storage-test.ts';
import { acrossTests } from './tests/across.ts';
import { constraintTests } from './tests/constraints.ts';
import { filterTests } from './tests/filters.ts';
import { lifecycleTests } from './tests/lifecycle.ts';
import { listTests } from './tests/lists.ts';
import { raceTests } from './tests/races.ts';
import { tenancyTests } from './tests/tenancy.ts';
import { totalTests } from './tests/totals.ts';
import { transactionTests } from './tests/transactions.ts';
import { valueTests } from './tests/values.ts';
import { wordsTests } from './tests/words.ts';
import { writingTests } from './tests/writing.ts';

/** All tests of the kit by subject. Their names are unique and stable. */
export const storageTests: Readonly<Record<string, readonly StorageTest[]>> = {
  values: valueTests,
  writing: writingTests,
  lists: listTests,
  filters: [...filterTests, ...wordsTests],
  totals: totalTests,
  constraints: constraintTests,
  tenancy: tenancyTests,
  'across organizations': acrossTests,
  transactions: transactionTests,
  races: raceTests,
  lifecycle: lifecycleTests,
  model: [modelTest],
};
