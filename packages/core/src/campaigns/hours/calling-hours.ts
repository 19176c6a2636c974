import { type Campaign, weekdays } from '../../domain/campaign.ts';
import { addDays, instantsOf, transitionsNear, wallTimeAt, weekdayOf } from './zone-time.ts';

/** When a campaign may call. */
export type Hours = Pick<
  Campaign,
  'schedule_start_time' | 'schedule_end_time' | 'timezone' | 'schedule_days' | 'start_date' | 'end_date'
>;

/** A day of the week whose hours fall into those that clocks skip is open the week after. */
const horizonDays = 21;

/**
 * Whether it may call at an instant: the clocks of its zone then show a time from the start to before the end, on one of
 * its days. Hours that clocks skip are no hours; in an hour that comes twice, it may call both times.
 */
export function isOpen(hours: Hours, atMs: number): boolean {
  const { date, time } = wallTimeAt(hours.timezone, atMs);
  return isDay(hours, date) && time >= hours.schedule_start_time && time < hours.schedule_end_time;
}

/** The first instant from `fromMs` on at which it may call; null where there is none any more. */
export function opensAt(hours: Hours, fromMs: number): number | null {
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

/** The first instant after `fromMs`, at which it may call, when it may not any more. */
export function closesAt(hours: Hours, fromMs: number): number {
  const { timezone, schedule_end_time: end } = hours;
  const { date } = wallTimeAt(timezone, fromMs);
  const closing = firstAmong(candidates(timezone, date, end), fromMs + 1, (atMs) => !isOpen(hours, atMs));
  return closing ?? fromMs;
}

function isDay({ schedule_days: days, start_date: first, end_date: last }: Hours, date: string): boolean {
  if ((first !== null && date < first) || (last !== null && date > last)) return false;
  return days.some((day) => (weekdays.indexOf(day) + 1) % 7 === weekdayOf(date));
}

/** Where the hours of a day can begin or end: at that time, or where the clocks are put forward or back. */
function candidates(timezone: string, date: string, time: string): number[] {
  const transitions = transitionsNear(timezone, date).filter((atMs) => wallTimeAt(timezone, atMs).date === date);
  return [...instantsOf(timezone, { date, time }), ...transitions].sort((a, b) => a - b);
}

function firstAmong(instants: readonly number[], fromMs: number, test: (atMs: number) => boolean): number | null {
  return instants.find((atMs) => atMs >= fromMs && test(atMs)) ?? null;
}
