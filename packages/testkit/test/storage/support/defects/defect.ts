import type { Storage } from '@va/core';

export interface Defect {
  /** What is wrong with the storage. */
  readonly name: string;
  readonly open: () => Storage;
  /** The names of the tests that find it, and no others do. */
  readonly foundBy: readonly string[];
}
