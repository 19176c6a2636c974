import type { Clock } from '../ports/clock.ts';

/**
 * Returns the current time as `YYYY-MM-DDTHH:mm:ss.sssZ`.
 *
 * @example timestamp(systemClock); // '2026-11-23T10:00:00.000Z'
 */
export function timestamp(clock: Clock): string {
  const wallMs = Math.floor(clock.wallMs());
  const atSecond = Math.floor(wallMs / 1_000);
  if (atSecond !== second) {
    second = atSecond;
    upToSecond = new Date(1_000 * atSecond).toISOString().slice(0, -'000Z'.length);
  }
  return `${upToSecond}${String(wallMs - 1_000 * atSecond).padStart(3, '0')}Z`;
}

/** The last second that was formatted: each event of each call has a time, and most share their second. */
let second = Number.NaN;
let upToSecond = '';
