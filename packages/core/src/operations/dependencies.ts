import type { RandomBytes } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** What every group of operations works with. */
export interface RecordDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
}
