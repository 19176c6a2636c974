import { type Campaign, weekdays } from '../../domain/campaigns/campaign.ts';
import { addDays, instantsOf, transitionsOn, wallTimeAt, weekdayOf } from './zone-time.ts';

/** The settings that decide when a campaign may call. */
export type CallingHours = Pick<
  Campaign,
  'schedule_start_time' | 'schedule_end_time' | 'timezone' | 'schedule_days' | 'start_date' | 'end_date'
>;

/** An interval in which a campaign may call. */
interface OpenInterval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Cache of the last open interval per calling hours, because schedulers query the same hours repeatedly. */
const intervals = new Map<string, OpenInterval>();
const maxIntervals = 1_000;

/** Days to search for an opening. A weekday whose hours daylight saving skips is open the week after. */
const horizonDays = 21;

/**
 * Returns true if a campaign may call at an instant: the clocks of its zone show a time from the start to before the
 * end, on one of its days. Hours skipped by daylight saving are not callable; repeated hours are callable twice.
 */
export function isOpen(hours: CallingHours, atMs: number): boolean {
  if (knownInterval(hours, atMs) !== null) return true;
  const { date, time } = wallTimeAt(hours.timezone, atMs);
  return isDay(hours, date) && time >= hours.schedule_start_time && time < hours.schedule_end_time;
}

/** Returns the first instant from `fromMs` on at which a campaign may call, or null if there is none. */
export function opensAt(hours: CallingHours, fromMs: number): number | null {
  if (isOpen(hours, fromMs)) return fromMs;
  const { timezone, start_date: firstDate, end_date: lastDate, schedule_start_time: start } = hours;
  const today = wallTimeAt(timezone, fromMs).date;
  const first = firstDate !== null && firstDate > today ? firstDate : today;
  for (let day = 0; day <= horizonDays; day += 1) {
    const date = addDays(first, day);
    if (lastDate !== null && date > lastDate) return null;
    if (!isDay(hours, date)) continue;
    const opening = firstAmong(candidates(timezone, date, start), fromMs, (atMs) => isOpen(hours, atMs));
    if (opening !== null) return opening;
  }
  return null;
}

/** Returns the first instant after `fromMs` at which a campaign may not call. At `fromMs` it may call. */
export function closesAt(hours: CallingHours, fromMs: number): number {
  const known = knownInterval(hours, fromMs);
  if (known !== null) return known.toMs;
  const { timezone, schedule_end_time: end } = hours;
  const { date } = wallTimeAt(timezone, fromMs);
  const closing = firstAmong(candidates(timezone, date, end), fromMs + 1, (atMs) => !isOpen(hours, atMs));
  if (closing === null || !isOpen(hours, fromMs)) return closing ?? fromMs;
  if (intervals.size >= maxIntervals) intervals.clear();
  intervals.set(keyOf(hours), { fromMs, toMs: closing });
  return closing;
}

function knownInterval(hours: CallingHours, atMs: number): OpenInterval | null {
  const known = intervals.get(keyOf(hours));
  return known !== undefined && atMs >= known.fromMs && atMs < known.toMs ? known : null;
}

function keyOf(hours: CallingHours): string {
  const { timezone, schedule_start_time: start, schedule_end_time: end, schedule_days: days } = hours;
  return [timezone, start, end, hours.start_date, hours.end_date, days].join(' ');
}

function isDay({ schedule_days: days, start_date: first, end_date: last }: CallingHours, date: string): boolean {
  if ((first !== null && date < first) || (last !== null && date > last)) return false;
  return days.some((day) => (weekdays.indexOf(day) + 1) % 7 === weekdayOf(date));
}

/** Returns the instants at which the hours of a day can begin or end: at the given time, or at a clock change. */
function candidates(timezone: string, date: string, time: string): number[] {
  return [...instantsOf(timezone, { date, time }), ...transitionsOn(timezone, date)].sort((a, b) => a - b);
}

function firstAmong(instants: readonly number[], fromMs: number, test: (atMs: number) => boolean): number | null {
  return instants.find((atMs) => atMs >= fromMs && test(atMs)) ?? null;
}
