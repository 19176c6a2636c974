import type { Clock } from '../ports/clock.ts';

/**
 * Returns the current time as `YYYY-MM-DDTHH:mm:ss.sssZ`.
 *
 * @example timestamp(systemClock); // '2026-11-23T10:00:00.000Z'
 */
export function timestamp(clock: Clock): string {
  return new Date(clock.wallMs()).toISOString();
}
