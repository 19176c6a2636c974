import type { Clock } from '../ports/clock.ts';

/** Returns the current time as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function timestamp(clock: Clock): string {
  return new Date(clock.wallMs()).toISOString();
}
