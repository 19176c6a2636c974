import { Temporal } from 'temporal-polyfill';

/** Date and time that the clocks of a zone show. */
export interface WallTime {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:MM:SS`. */
  readonly time: string;
}

/** Returns what the clocks of a zone show at an instant. Throws `RangeError` for an unknown zone. */
export function wallTimeAt(timeZone: string, atMs: number): WallTime {
  const shown = new Date(atMs + offsetPeriodAt(timeZone, atMs).offsetMs).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 19) };
}

/** A period without a clock change. */
interface OffsetPeriod {
  readonly fromMs: number;
  readonly toMs: number;
  /** Offset of local time from UTC. */
  readonly offsetMs: number;
}

/** Last period of each zone: a conversion by Temporal takes 50 µs, and schedulers convert thousands of instants. */
const periods = new Map<string, OffsetPeriod>();
const maxPeriods = 1_000;

function offsetPeriodAt(timeZone: string, atMs: number): OffsetPeriod {
  const known = periods.get(timeZone);
  if (known !== undefined && atMs >= known.fromMs && atMs < known.toMs) return known;
  const at = Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(timeZone);
  // One nanosecond later, because `previous` does not find a transition at the instant itself.
  const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const next = at.getTimeZoneTransition('next');
  const period = {
    fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1e6,
  };
  if (periods.size >= maxPeriods) periods.clear();
  periods.set(timeZone, period);
  return period;
}

/** Returns the day of the week: 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/**
 * Returns the instants at which the clocks show a time, in ascending order: none if they skip it, two if they repeat
 * it.
 */
export function instantsOf(timeZone: string, wall: WallTime): number[] {
  const dateTime = Temporal.PlainDateTime.from(`${wall.date}T${wall.time}`);
  const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
    dateTime.toZonedDateTime(timeZone, { disambiguation }),
  );
  if (earlier === undefined || later === undefined) return [];
  // In a gap, both are shifted to times that the clocks do show.
  if (!earlier.toPlainDateTime().equals(dateTime)) return [];
  return [...new Set([earlier.epochMilliseconds, later.epochMilliseconds])];
}

/** Returns the instants of a day at which the clocks are put forward or back, in ascending order. */
export function transitionsOn(timeZone: string, date: string): number[] {
  const day = Temporal.PlainDate.from(date);
  const end = day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
  const found: number[] = [];
  let at: Temporal.ZonedDateTime | null = day.toZonedDateTime(timeZone).subtract({ seconds: 1 });
  for (;;) {
    at = at.getTimeZoneTransition('next');
    if (at === null || at.epochMilliseconds >= end) return found;
    found.push(at.epochMilliseconds);
  }
}
