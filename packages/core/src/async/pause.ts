import type { Clock } from '../ports/clock.ts';
import { within } from './within.ts';

/** Resolves after `ms`, or when `signal` aborts. */
export async function pause(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  // One for each pause: a promise keeps what waits for it.
  await within(ms, clock, new Promise<never>(() => {}), signal);
}
