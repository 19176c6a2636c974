import type { Storage } from '@va/core/adapter';

export interface Defect {
  /** Defect of the storage. */
  readonly name: string;
  readonly open: () => Storage;
  /** Names of the tests that find it; no others do. */
  readonly foundBy: readonly string[];
}
