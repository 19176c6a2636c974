import type { Clock } from '../ports/clock.ts';

/** Now, as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function timestamp(clock: Clock): string {
  return new Date(clock.wallMs()).toISOString();
}
