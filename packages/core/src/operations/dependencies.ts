import type { RandomBytes } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** Dependencies of every group of operations. */
export interface RecordDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Currency of the host's prices; null or absent without prices. */
  readonly currency?: string | null | undefined;
}
