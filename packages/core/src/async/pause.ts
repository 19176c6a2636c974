import type { Clock } from '../ports/clock.ts';
import { within } from './within.ts';

/** Resolves after `ms`, or when `signal` aborts. */
export async function pause(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  // One promise per pause: a shared one would retain its waiters.
  await within(ms, clock, new Promise<never>(() => {}), signal);
}
