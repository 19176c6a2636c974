/**
 * A half-open time range, split into: the partial day before the first whole day, whole days up to the first whole
 * month, whole months, whole days, and the partial day at the end. An empty part ends where it begins, or earlier.
 * Instants and days are texts as PostgreSQL reads them, including `infinity`.
 */
export interface TimeRange {
  readonly from: string;
  /** End of the partial day at the beginning. */
  readonly morning: string;
  readonly firstDay: string;
  readonly firstMonth: string;
  readonly endMonth: string;
  readonly endDay: string;
  /** Beginning of the partial day at the end. */
  readonly evening: string;
  readonly before: string;
}

/**
 * Splits a range of times.
 *
 * @param from inclusive; undefined for a range without a beginning
 * @param before exclusive; undefined for a range without an end
 */
export function timeRange(from: string | undefined, before: string | undefined): TimeRange {
  const firstDay = from === undefined ? -Infinity : ceilDay(Date.parse(from));
  const endDay = before === undefined ? Infinity : floorDay(Date.parse(before));
  const ends = { from: from ?? '-infinity', before: before ?? 'infinity' };
  if (firstDay >= endDay) return { ...ends, ...emptyDays, morning: ends.before, evening: ends.before };
  const firstMonth = ceilMonth(firstDay);
  const endMonth = floorMonth(endDay);
  const [monthsFrom, monthsBefore] = firstMonth <= endMonth ? [firstMonth, endMonth] : [endDay, endDay];
  return {
    ...ends,
    morning: text(firstDay),
    firstDay: text(firstDay),
    firstMonth: text(monthsFrom),
    endMonth: text(monthsBefore),
    endDay: text(endDay),
    evening: text(endDay),
  };
}

const emptyDays = { firstDay: 'infinity', firstMonth: 'infinity', endMonth: 'infinity', endDay: 'infinity' };

const dayMs = 86_400_000;

const floorDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs;
const ceilDay = (ms: number): number => Math.ceil(ms / dayMs) * dayMs;

function floorMonth(ms: number): number {
  if (!Number.isFinite(ms)) return ms;
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function ceilMonth(ms: number): number {
  const floor = floorMonth(ms);
  if (floor === ms) return ms;
  const date = new Date(floor);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Returns midnight, UTC, of a day, which PostgreSQL reads as a date or an instant. No record is later than 9999. */
function text(ms: number): string {
  if (ms === -Infinity) return '-infinity';
  return ms > Date.UTC(9999, 11, 31) ? 'infinity' : new Date(ms).toISOString();
}
