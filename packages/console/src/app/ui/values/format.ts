const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const minute = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const withoutYear = new Intl.DateTimeFormat(undefined, minute);
const withYear = new Intl.DateTimeFormat(undefined, { ...minute, year: 'numeric' });
const whole = new Intl.NumberFormat();

/** Formats an instant in the viewer's time zone. */
export function formatTime(instant: string | null): string {
  return instant === null ? '–' : dateTime.format(new Date(instant));
}

/** Formats an instant for a list; omits the current year. */
export function formatShortTime(instant: string, nowMs: number = Date.now()): string {
  const at = new Date(instant);
  return (at.getFullYear() === new Date(nowMs).getFullYear() ? withoutYear : withYear).format(at);
}

/** Formats a duration in seconds as `3:05`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–';
  const rest = String(Math.floor(seconds % 60)).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${rest}`;
}

export function formatCount(count: number): string {
  return whole.format(count);
}

/** Formats milliseconds below a second as such, longer durations as seconds with one decimal. */
export function formatLatency(ms: number | null): string {
  if (ms === null) return '–';
  return Math.round(ms) < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const ages = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'short' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Formats the age of an instant, such as `12 sec. ago`. Future instants, from clock skew, count as now. */
export function formatAge(instant: string, nowMs: number = Date.now()): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(instant)) / 1_000));
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? ['second', 1];
  return ages.format(-Math.floor(seconds / length), unit);
}
