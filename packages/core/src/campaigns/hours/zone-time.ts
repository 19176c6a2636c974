const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** No zone is further from UTC. */
const furthestMs = 15 * hourMs;

const maxFormats = 500;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size >= maxFormats) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. Throws `RangeError` for a zone that nobody knows. */
export function offsetAt(timeZone: string, atMs: number): number {
  const wholeMs = Math.floor(atMs / 1_000) * 1_000;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(wholeMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeMs;
}

/** What calendar and clock on the wall show. */
export interface WallTime {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:MM:SS`. */
  readonly time: string;
}

export function wallTimeAt(timeZone: string, atMs: number): WallTime {
  const shown = new Date(atMs + offsetAt(timeZone, atMs)).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 19) };
}

/** 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/**
 * The instants at which the clocks show a time: none where they skip it, two where they are set back across it. In ascending
 * order.
 */
export function instantsOf(timeZone: string, { date, time }: WallTime): number[] {
  const asUtc = Date.parse(`${date}T${time}Z`);
  const offsets = new Set([asUtc - dayMs, asUtc, asUtc + dayMs].map((nearMs) => offsetAt(timeZone, nearMs)));
  const candidates = [...offsets].map((offset) => asUtc - offset);
  return candidates.filter((atMs) => atMs + offsetAt(timeZone, atMs) === asUtc).sort((a, b) => a - b);
}

const maxDays = 1_000;
const transitionsByDay = new Map<string, readonly number[]>();

/** The instants, on a day and close around it, at which the clocks are put forward or back. In ascending order. */
export function transitionsNear(timeZone: string, date: string): readonly number[] {
  // A scheduler asks for the same days again and again, and each look at a zone's clocks is dear.
  const key = `${date} ${timeZone}`;
  const known = transitionsByDay.get(key);
  if (known !== undefined) return known;
  if (transitionsByDay.size >= maxDays) transitionsByDay.clear();
  const transitions = findTransitions(timeZone, date);
  transitionsByDay.set(key, transitions);
  return transitions;
}

function findTransitions(timeZone: string, date: string): number[] {
  const noon = Date.parse(`${date}T12:00:00Z`);
  const untilMs = noon + dayMs / 2 + furthestMs;
  const found: number[] = [];
  let before = noon - dayMs / 2 - furthestMs;
  for (let atMs = before + hourMs; atMs <= untilMs; atMs += hourMs) {
    if (offsetAt(timeZone, before) !== offsetAt(timeZone, atMs)) found.push(transitionBetween(timeZone, before, atMs));
    before = atMs;
  }
  return found;
}

/** To the second, by halves. */
function transitionBetween(timeZone: string, fromMs: number, toMs: number): number {
  const offset = offsetAt(timeZone, fromMs);
  let [low, high] = [fromMs, toMs];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (offsetAt(timeZone, middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}
