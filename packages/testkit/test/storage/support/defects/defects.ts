import type { Defect } from './defect.ts';
import { leaks } from './leaks.ts';
import { lifecycleDefects } from './lifecycle.ts';
import { listingDefects } from './listing.ts';
import { referenceDefects } from './references.ts';
import { valueDefects } from './values.ts';
import { writingDefects } from './writing.ts';

/** Storages with one defect each. */
export const defects: readonly Defect[] = [
  ...writingDefects,
  ...listingDefects,
  ...valueDefects,
  ...referenceDefects,
  ...lifecycleDefects,
  ...leaks(),
];
